import type { Connection } from './open'
import { prepared } from './prepared'
import { rowNotes, type RowNotes } from './row-notes'

/**
 * Rows of chats as they were read last, in order, so that a long chat is not read and parsed again at every step. A row
 * that did not change is the same object as before, and a list in which nothing changed is the same list: what is made
 * of them can be remembered by them. Nobody may change one.
 */
export interface RowMemory<Row> {
  list(sql: Connection, sessionId: string): readonly Row[]
}

export interface RememberedTable<Raw, Row> {
  table: 'messages' | 'calls'
  /** What `toRow` needs. */
  columns: string
  /** The column that gives the order. */
  order: 'seq' | 'step'
  /** Null leaves the row out. */
  toRow(raw: Raw): Row | null
  /** True when nothing that is read of the row has changed. */
  isSame?(before: Row, now: Row): boolean
}

interface Kept<Row> {
  place: number
  row: Row | null
}

interface Chat<Row> {
  /** What other connections had written when it was read. */
  version: number
  /** The last note that it knows. */
  note: number
  rows: Map<string, Kept<Row>>
  list: readonly Row[]
  /** Of the last row. */
  end: number
}

/** Chats of which rows are remembered; those of others are read again. */
const REMEMBERED = 4

export function createRowMemory<Raw, Row>(what: RememberedTable<Raw, Row>): RowMemory<Row> {
  const memory = new WeakMap<Connection, Map<string, Chat<Row>>>()
  return {
    list(sql, sessionId) {
      // What is read inside of a transaction may never come to be.
      if (sql.inTransaction) return listOf(readAll(what, sql, sessionId))
      const notes = rowNotes(sql)
      const chats = memory.get(sql) ?? new Map<string, Chat<Row>>()
      memory.set(sql, chats)
      // Asked before reading: what is written meanwhile is read once more.
      const [version, note] = [notes.version(), notes.last()]
      const known = chats.get(sessionId)
      if (known?.version === version && known.note >= notes.forgotten()) {
        if (known.note !== note) followNotes(what, { sql, notes, sessionId }, known)
        known.note = note
        return known.list
      }
      const rows = readAll(what, sql, sessionId)
      const chat = { version, note, rows, list: listOf(rows), end: endOf(rows) }
      remember(chats, sessionId, chat)
      return chat.list
    },
  }
}

type Stored<Raw> = Raw & { id: string; place: number }

function readAll<Raw, Row>(
  what: RememberedTable<Raw, Row>,
  sql: Connection,
  sessionId: string,
): Map<string, Kept<Row>> {
  const raws = prepared(sql, `${selectOf(what)} ORDER BY ${what.order}`).all(sessionId) as Stored<Raw>[]
  return new Map(raws.map((raw) => [raw.id, { place: raw.place, row: what.toRow(raw) }]))
}

function followNotes<Raw, Row>(
  what: RememberedTable<Raw, Row>,
  { sql, notes, sessionId }: { sql: Connection; notes: RowNotes; sessionId: string },
  chat: Chat<Row>,
): void {
  const one = prepared(sql, `${selectOf(what)} AND id = ?`)
  let list: Row[] | null = null
  let isMoved = false
  for (const id of notes.since({ table: what.table, sessionId }, chat.note)) {
    const raw = one.get(sessionId, id) as Stored<Raw> | undefined
    const now = raw && { place: raw.place, row: what.toRow(raw) }
    const before = chat.rows.get(id)
    if (isSame(what, before, now)) continue
    list ??= [...chat.list]
    isMoved = !put(list, before, now, chat.end) || isMoved
    if (now) {
      chat.rows.set(id, now)
      chat.end = Math.max(chat.end, now.place)
    } else chat.rows.delete(id)
  }
  if (list) chat.list = isMoved ? listOf(chat.rows) : list
}

/** Most rows come behind all others or stay where they are. False: it is another case. */
function put<Row>(
  list: Row[],
  before: Kept<Row> | undefined,
  now: Kept<Row> | undefined,
  end: number,
): boolean {
  if (!now?.row) return false
  if (!before && now.place > end) return list.push(now.row) > 0
  const at = before?.row && before.place === now.place ? list.lastIndexOf(before.row) : -1
  if (at === -1) return false
  list[at] = now.row
  return true
}

function endOf(rows: ReadonlyMap<string, Kept<unknown>>): number {
  let end = -Infinity
  for (const { place } of rows.values()) end = Math.max(end, place)
  return end
}

function isSame<Raw, Row>(
  what: RememberedTable<Raw, Row>,
  before: Kept<Row> | undefined,
  now: Kept<Row> | undefined,
): boolean {
  if (!before?.row || !now?.row || before.place !== now.place) return false
  return what.isSame?.(before.row, now.row) === true
}

function selectOf({ table, columns, order }: RememberedTable<never, unknown>): string {
  return `SELECT ${columns}, id, ${order} AS place FROM ${table} WHERE session_id = ?`
}

function listOf<Row>(rows: ReadonlyMap<string, Kept<Row>>): readonly Row[] {
  const inOrder = [...rows.values()].sort((a, b) => a.place - b.place)
  return inOrder.map(({ row }) => row).filter((row) => row !== null)
}

function remember<Row>(chats: Map<string, Chat<Row>>, sessionId: string, chat: Chat<Row>): void {
  chats.delete(sessionId)
  chats.set(sessionId, chat)
  const oldest = chats.keys().next().value
  if (chats.size > REMEMBERED && oldest !== undefined) chats.delete(oldest)
}
