import { existsSync, readFileSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { SCHEMA_VERSION } from './migrate'
import { openReader } from './open'
import type { Connection } from './open'
import { refuseNewer } from './version'

/** Larger ones are opened where they lie: reading them whole would take longer than everything else. */
const MAX_COPY = 256 * 1024 * 1024
/** Bytes 18 and 19 of a database file: 2 for one with a write-ahead log, 1 without. */
const FORMAT_BYTES = [18, 19] as const

/**
 * A connection that only looks at a database and leaves nothing behind, no log and no index of one; null when the file
 * is not there. While another program has it open, that program's log is read along. Throws `newer_data` when a newer
 * Satchel wrote it, and SQLite's own error when it is damaged.
 */
export function openForLook(file: string): Connection | null {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined) return null
  refuseNewer(file, SCHEMA_VERSION)
  return existsSync(`${file}-wal`) || size > MAX_COPY ? openReader(file) : openCopy(file)
}

/** A database without anything, in memory. */
export function openEmpty(): Connection {
  return new Database(':memory:')
}

/** Even a read-only connection would make files for a log beside the database; a copy in memory has none. */
function openCopy(file: string): Connection {
  const bytes = readFileSync(file)
  if (bytes.length > FORMAT_BYTES[1]) for (const at of FORMAT_BYTES) bytes[at] = 1
  return new Database(bytes)
}
