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
  const state: State = { notes: [], forgotten: 0 }
  sql.function('note_row', (of, id) => note(state, String(of), String(id)))
  for (const table of ['messages', 'calls']) {
    for (const [event, row] of [
      ['INSERT', 'new'],
      ['UPDATE', 'new'],
      ['DELETE', 'old'],
    ]) {
      sql.exec(
        `CREATE TEMP TRIGGER note_${table}_${event} AFTER ${event} ON main.${table} BEGIN
           SELECT note_row('${table} ' || ${row}.session_id, ${row}.id);
         END`,
      )
    }
  }
  const version = sql.prepare<[], number>('PRAGMA data_version').pluck()
  return {
    version: () => version.get() ?? 0,
    last: () => state.forgotten + state.notes.length,
    since({ table, sessionId }, note) {
      const of = `${table} ${sessionId}`
      const later = state.notes.slice(Math.max(0, note - state.forgotten))
      return [...new Set(later.filter((one) => one.of === of).map(({ id }) => id))]
    },
    forgotten: () => state.forgotten,
  }
}

interface State {
  /** Of rows whose writing was taken back too: they are read again for nothing. */
  notes: { of: string; id: string }[]
  /** So many were made before them. */
  forgotten: number
}

function note(state: State, of: string, id: string): void {
  if (state.notes.length >= KEPT) {
    state.forgotten += state.notes.length
    state.notes = []
  }
  state.notes.push({ of, id })
}
