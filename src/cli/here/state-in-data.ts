import { AppError } from '@shared/errors'
import { openForLook } from '../../main/db/look'
import type { Connection } from '../../main/db/open'
import { listProjects } from '../../main/db/project-rows'
import { createSettings } from '../../main/settings/settings'
import { createChoices } from '../../main/skills/registry/choices'
import type { KnownState } from './known-state'

/** Reads a database without a write, also one of an older version. Throws `newer_data`, and SQLite's own errors. */
export function stateInData(file: string): Partial<KnownState> {
  const sql = openForLook(file)
  if (!sql) return {}
  try {
    const db = { sql, tx: refuse, durable: refuse, soon: refuse, close: () => void sql.close() }
    const audit = { append: refuse }
    const state: Partial<KnownState> = { sql, close: () => void sql.close() }
    if (hasTable(sql, 'projects')) state.projects = listProjects(sql)
    if (hasTable(sql, 'settings')) state.settings = createSettings({ db, audit }).get()
    if (hasTable(sql, 'skill_switches')) {
      state.choices = createChoices({ db, audit, changed() {} })
      // Read now, where a damaged row is still an answer of this function.
      state.choices.offReason(null, null)('')
    }
    return state
  } catch (error) {
    sql.close()
    throw error
  }
}

function hasTable(sql: Connection, name: string): boolean {
  return sql.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined
}

function refuse(): never {
  throw new AppError('internal', 'This command only reads.')
}
