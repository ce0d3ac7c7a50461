import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '@shared/errors'
import { faultPoint } from '../lib/fault-point'
import { createLogFlush } from './log-flush'
import { migrate, SCHEMA_VERSION } from './migrate'
import { refuseNewer } from './version'

export type Connection = Database.Database

/** The app's one writing connection. Rows of a `durable` transaction survive power loss, those of `tx` a crash. */
export interface Db {
  sql: Connection
  /** One IMMEDIATE transaction; commits survive a crash of the process (WAL, synchronous NORMAL). */
  tx<T>(work: () => T): T
  /** The same with synchronous FULL: approvals, audit, user messages, and all that can't be done again (ADR 0022). */
  durable<T>(work: () => T): T
  /** As `tx`, and what it commits goes to the disk at once, beside what comes next: nobody waits for it (ADR 0022). */
  soon<T>(work: () => T): T
  close(): void
}

/** Longest wait for another program's transaction, in milliseconds; they take less than ten. */
const BUSY_MS = 5000
/** A turn to write is asked for this often, in milliseconds: SQLite's own longer and longer pauses starve the waiting. */
const ASK_MS = 1

/**
 * Opens or creates the database. Throws `newer_data` when a newer Satchel wrote it: no byte of the folder is changed
 * then, and no file made in it.
 */
export function openDb(file: string): Db {
  refuseNewer(file, SCHEMA_VERSION)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const sql = new Database(file, { timeout: BUSY_MS })
  try {
    // Two programs that make a new file at the same time: SQLite doesn't wait by itself here.
    withoutBusy(() => sql.pragma('journal_mode = WAL'))
    sql.pragma('synchronous = NORMAL')
    sql.pragma('foreign_keys = ON')
    withoutBusy(() => migrate(sql, file))
    refuseReadOnly(sql)
  } catch (error) {
    sql.close()
    throw error
  }
  return createDb(sql, file)
}

/** A file that may only be read opens without a word and would fail at the first message. Writes nothing. */
function refuseReadOnly(sql: Connection): void {
  // At once as the one who writes: after a look another program's write would end it.
  begin(sql)
  try {
    sql.pragma(`user_version = ${String(sql.pragma('user_version', { simple: true }))}`)
  } finally {
    if (sql.inTransaction) sql.exec('ROLLBACK')
  }
}

/** A second, read-only connection for the worker thread. The file must exist. */
export function openReader(file: string): Connection {
  const sql = new Database(file, { readonly: true, fileMustExist: true })
  sql.pragma('busy_timeout = 5000')
  return sql
}

/** A database that can be rebuilt at any time, such as the full-text index. Throws when the file is damaged. */
export function openRebuildable(file: string, schema: string): Connection {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const sql = new Database(file)
  try {
    sql.pragma('journal_mode = WAL')
    sql.pragma('synchronous = OFF')
    sql.exec(schema)
    return sql
  } catch (error) {
    sql.close()
    throw error
  }
}

function createDb(sql: Connection, file: string): Db {
  const log = createLogFlush(`${file}-wal`)
  const tx = <T>(work: () => T): T => {
    // Inside another one it is a part of that, and can't be kept waiting.
    if (sql.inTransaction) return sql.transaction(work)()
    faultPoint('db.before-begin')
    begin(sql)
    return finish(sql, work)
  }
  return {
    sql,
    tx,
    durable(work) {
      if (sql.inTransaction) throw new AppError('internal', 'A durable transaction can not be nested.')
      sql.pragma('synchronous = FULL')
      try {
        const result = tx(() => {
          const done = work()
          faultPoint('db.before-durable-commit')
          return done
        })
        faultPoint('db.after-durable-commit')
        return result
      } finally {
        sql.pragma('synchronous = NORMAL')
      }
    },
    soon(work) {
      const result = tx(work)
      log.flush()
      return result
    },
    close() {
      log.close()
      sql.close()
    },
  }
}

/** Looking may wait as SQLite does; only the turn to write is asked for by ourselves. */
function begin(sql: Connection): void {
  try {
    withoutBusy(() => sql.exec(BEGIN))
  } catch (error) {
    sql.exec(WAIT)
    throw error
  }
}

const WAIT = `PRAGMA busy_timeout = ${BUSY_MS};`
const BEGIN = `PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ${WAIT}`

/** In WAL only the beginning can be kept waiting: the one who has begun is the only one who writes. */
function finish<T>(sql: Connection, work: () => T): T {
  try {
    const result = work()
    faultPoint('db.before-commit')
    sql.exec('COMMIT')
    faultPoint('db.after-commit')
    return result
  } catch (error) {
    // A full disk may have ended the transaction already.
    if (sql.inTransaction) sql.exec('ROLLBACK')
    throw error
  }
}

/**
 * Waits for its turn at most `BUSY_MS`; then throws `busy`. The work must not have changed anything when it throws.
 */
function withoutBusy(work: () => unknown): void {
  const end = performance.now() + BUSY_MS
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error
      if (performance.now() > end) throw stillBusy()
      Atomics.wait(CLOCK, 0, 0, ASK_MS)
    }
  }
}

const CLOCK = new Int32Array(new SharedArrayBuffer(4))

function stillBusy(): AppError {
  return new AppError(
    'busy',
    'Another program keeps the database from being written. Close it, then try again. Nothing was changed.',
  )
}
