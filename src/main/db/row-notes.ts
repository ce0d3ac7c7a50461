import type { Connection } from './open'

/**
 * Which rows of chats were written, by whatever statement of this connection: triggers of its own note them. What other
 * connections wrote is told by `version` alone. To be asked outside of transactions.
 */
export interface RowNotes {
  /** Differs when another connection has written. */
  version(): number
  /** The last note. */
  last(): number
  /** Ids of the rows of this table and chat that were written after a note. */
  since(of: { table: string; sessionId: string }, note: number): string[]
  /** Notes up to this one are forgotten: who knows less must read everything. */
  forgotten(): number
}

/** Notes that are kept at most. */
const KEPT = 10_000

const opened = new WeakMap<Connection, RowNotes>()

/** The notes of a connection, from the first time on that they are asked for. */
export function rowNotes(sql: Connection): RowNotes {
  const known = opened.get(sql) ?? open(sql)
  opened.set(sql, known)
  return known
}

function open(sql: Connection): RowNotes {
  sql.pragma('temp_store = MEMORY')
  sql.exec('CREATE TEMP TABLE row_notes (n INTEGER PRIMARY KEY AUTOINCREMENT, chat TEXT, id TEXT)')
  for (const table of ['messages', 'calls']) {
    for (const [event, row] of [
      ['INSERT', 'new'],
      ['UPDATE', 'new'],
      ['DELETE', 'old'],
    ]) {
      sql.exec(
        `CREATE TEMP TRIGGER note_${table}_${event} AFTER ${event} ON main.${table} BEGIN
           INSERT INTO row_notes (chat, id) VALUES ('${table} ' || ${row}.session_id, ${row}.id);
         END`,
      )
    }
  }
  const version = sql.prepare<[], number>('PRAGMA data_version').pluck()
  const last = sql.prepare<[], number>('SELECT coalesce(max(n), 0) FROM row_notes').pluck()
  const since = sql
    .prepare<[number, string], string>('SELECT DISTINCT id FROM row_notes WHERE n > ? AND chat = ?')
    .pluck()
  const forget = sql.prepare('DELETE FROM row_notes WHERE n < ?')
  let forgotten = 0
  return {
    version: () => version.get() ?? 0,
    last() {
      const note = last.get() ?? 0
      if (note - forgotten <= KEPT) return note
      // The last one stays: numbers go on from it.
      forget.run(note)
      forgotten = note
      return note
    },
    since: ({ table, sessionId }, note) => since.all(note, `${table} ${sessionId}`),
    forgotten: () => forgotten,
  }
}
