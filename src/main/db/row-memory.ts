import { setImmediate } from 'node:timers/promises'
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
  /** The rows of this chat are remembered and nobody else has written: `list` reads only what this program wrote. */
  isRead(sql: Connection, sessionId: string): boolean
  /**
   * Reads a chat in steps that keep nobody waiting. Where another program writes meanwhile, or the data is closed, nothing
   * is remembered.
   */
  read(sql: Connection, sessionId: string): Promise<void>
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
/** Rows that are read in one go, a few milliseconds. */
const STEP = 200

export function createRowMemory<Raw, Row>(what: RememberedTable<Raw, Row>): RowMemory<Row> {
  const memory = new WeakMap<Connection, Map<string, Chat<Row>>>()
  const chatsOf = (sql: Connection) => {
    const chats = memory.get(sql) ?? new Map<string, Chat<Row>>()
    memory.set(sql, chats)
    return chats
  }
  const known = (sql: Connection, sessionId: string) => {
    const chat = chatsOf(sql).get(sessionId)
    return chat && isCurrent(rowNotes(sql), chat) ? chat : undefined
  }
  return {
    list(sql, sessionId) {
      // What is read inside of a transaction may never come to be.
      if (sql.inTransaction) return listOf(readAll(what, sql, sessionId))
      const notes = rowNotes(sql)
      // Asked before reading: what is written meanwhile is read once more.
      const [version, note] = [notes.version(), notes.last()]
      const chat = chatsOf(sql).get(sessionId)
      if (chat?.version === version && chat.note >= notes.forgotten()) {
        if (chat.note !== note) followNotes(what, { sql, notes, sessionId }, chat)
        chat.note = note
        return chat.list
      }
      return remember(chatsOf(sql), sessionId, chatFrom(readAll(what, sql, sessionId), { version, note }))
    },
    isRead: (sql, sessionId) => known(sql, sessionId) !== undefined,
    async read(sql, sessionId) {
      const notes = rowNotes(sql)
      const asOf = { version: notes.version(), note: notes.last() }
      const rows = await readInSteps(what, sql, sessionId)
      if (rows === null || known(sql, sessionId) || !isCurrent(notes, asOf)) return
      remember(chatsOf(sql), sessionId, chatFrom(rows, asOf))
    },
  }
}

type AsOf = Pick<Chat<unknown>, 'note' | 'version'>

function isCurrent(notes: RowNotes, { note, version }: AsOf): boolean {
  return version === notes.version() && note >= notes.forgotten()
}

function chatFrom<Row>(rows: Map<string, Kept<Row>>, asOf: AsOf): Chat<Row> {
  return { ...asOf, rows, list: listOf(rows), end: endOf(rows) }
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

/** A row that moves behind the others while they are read is read twice, and noted. Null: the data was closed. */
async function readInSteps<Raw, Row>(
  what: RememberedTable<Raw, Row>,
  sql: Connection,
  sessionId: string,
): Promise<Map<string, Kept<Row>> | null> {
  const rows = new Map<string, Kept<Row>>()
  const { order } = what
  const some = `${selectOf(what)} AND ${order} > ? ORDER BY ${order} LIMIT ${STEP}`
  let count = STEP
  for (let after = -1; count === STEP;) {
    await setImmediate()
    if (!sql.open) return null
    const raws = prepared(sql, some).all(sessionId, after) as Stored<Raw>[]
    for (const raw of raws) rows.set(raw.id, { place: raw.place, row: what.toRow(raw) })
    count = raws.length
    after = raws.at(-1)?.place ?? after
  }
  return rows
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

function remember<Row>(chats: Map<string, Chat<Row>>, sessionId: string, chat: Chat<Row>): readonly Row[] {
  chats.delete(sessionId)
  chats.set(sessionId, chat)
  const oldest = chats.keys().next().value
  if (chats.size > REMEMBERED && oldest !== undefined) chats.delete(oldest)
  return chat.list
}
