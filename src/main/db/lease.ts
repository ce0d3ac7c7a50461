import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '@shared/errors'

/** Held by the one window app that uses a data folder. */
export interface Lease {
  release(): void
}

/**
 * Takes the lease on a data folder, or throws `busy`. It is a lock of the operating system on a file of its own, held
 * by an open transaction that writes nothing: it ends with its process however that ends, so there is no stale lease,
 * and it needs neither process ids nor clocks, which mean nothing on another computer or in another container.
 */
export function takeLease(file: string): Lease {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const sql = new Database(file, { timeout: 0 })
  try {
    sql.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    sql.close()
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error
    throw new AppError(
      'busy',
      'Another Satchel has this data open. Go on in its window, or close it first. For a second one, name another data folder in SATCHEL_HOME.',
    )
  }
  return { release: () => sql.close() }
}
