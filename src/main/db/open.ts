import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '@shared/errors'
import { migrate } from './migrate'

export type Connection = Database.Database

/** The app's one writing connection. Rows of a `durable` transaction survive power loss, those of `tx` a crash. */
export interface Db {
  sql: Connection
  /** One IMMEDIATE transaction; commits survive a crash of the process (WAL, synchronous NORMAL). */
  tx<T>(work: () => T): T
  /** The same with synchronous FULL: approvals, audit, user messages, tool results (D10). */
  durable<T>(work: () => T): T
  close(): void
}

/** Opens or creates the database. Throws `newer_data` when a newer Satchel wrote it; nothing is changed then. */
export function openDb(file: string): Db {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const sql = new Database(file)
  try {
    sql.pragma('journal_mode = WAL')
    sql.pragma('synchronous = NORMAL')
    sql.pragma('foreign_keys = ON')
    sql.pragma('busy_timeout = 5000')
    migrate(sql, file)
    refuseReadOnly(sql)
  } catch (error) {
    sql.close()
    throw error
  }
  return createDb(sql)
}

/** A file that may only be read opens without a word and would fail at the first message. Writes nothing. */
function refuseReadOnly(sql: Connection): void {
  sql.exec('BEGIN')
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

function createDb(sql: Connection): Db {
  const tx = <T>(work: () => T): T => sql.transaction(work).immediate()
  return {
    sql,
    tx,
    durable(work) {
      if (sql.inTransaction) throw new AppError('internal', 'A durable transaction can not be nested.')
      sql.pragma('synchronous = FULL')
      try {
        return tx(work)
      } finally {
        sql.pragma('synchronous = NORMAL')
      }
    },
    close() {
      sql.close()
    },
  }
}
