import type { Database } from 'better-sqlite3'
import { AppError } from '@shared/errors'
import init from './migrations/001-init.sql?raw'

/** In order; a shipped one is never edited. The index + 1 is the `user_version` after it. */
const MIGRATIONS: readonly string[] = [init]

/** Brings the schema up to date, each step in one transaction, after a backup copy of an older database. */
export function migrate(sql: Database, file: string): void {
  const version = sql.pragma('user_version', { simple: true }) as number
  if (version > MIGRATIONS.length) {
    throw new AppError(
      'newer_data',
      'This data was written by a newer Satchel. Install the newer version, or start with another data folder (SATCHEL_HOME). Nothing was changed.',
    )
  }
  if (version === MIGRATIONS.length) return
  if (version > 0) sql.prepare('VACUUM INTO ?').run(`${file}.before-${MIGRATIONS.length}-${Date.now()}`)
  for (const [index, step] of MIGRATIONS.entries()) {
    if (index < version) continue
    sql
      .transaction(() => {
        sql.exec(step)
        sql.pragma(`user_version = ${index + 1}`)
      })
      .immediate()
  }
}
