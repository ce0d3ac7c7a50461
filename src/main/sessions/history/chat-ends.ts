import type { ChatPage } from '@shared/domain/session'
import { leafOf, nodesOf } from '../../db/branch-rows'
import { callsOf, callsOfMessage, loadsBefore } from '../../db/call-rows'
import {
  lastMessages,
  listMessages,
  messagesOf,
  publicMessage,
  type LastRow,
  type MessageRow,
} from '../../db/message-rows'
import type { Connection } from '../../db/open'
import { getSession, type SessionRow } from '../../db/session-rows'
import { pageOf } from './chat-pages'
import type { SessionDeps } from '../deps'
import { asShown, detailBeside, emitSession, roomBeside, snapshotOf } from './detail'
import { meterOfLast } from '../context/kept-meter'
import type { Snapshot } from './live'
import { leadsOf } from './page-leads'
import type { Seen } from './seen'
import { shownCatalogue } from '../instructions/shown-catalogue'

/** Long chats that are shown before all of their rows are read (`performance.md` G6.5). */
export interface ChatEnds {
  /**
   * The end of a long chat that was not read yet, from its last rows. What all rows decide (cost, branches, the counted
   * meter) is told to its readers when they are read. Null: the chat is shown whole, as any other.
   */
  open(session: SessionRow): Snapshot | null
  /** Resolves when the rows of a chat that was opened so are read; at once for any other. */
  read(sessionId: string): Promise<void>
}

/** Rows that are looked at for an end: more where too little was said in the first of them. Shorter chats are shown whole. */
const END_ROWS = [60, 240]

export function createChatEnds(deps: SessionDeps, seen: Seen): ChatEnds {
  const reading = new Map<string, Promise<void>>()
  return {
    open(session) {
      const end = isRead(deps, session.id) ? null : snapshotOfEnd(deps, session)
      if (end === null) return null
      seen.wait(session.id)
      if (!reading.has(session.id)) {
        const work = readRest(deps, seen, { sessionId: session.id, end }).catch((error: unknown) =>
          deps.log.error('the rows of a chat could not be read', error),
        )
        reading.set(
          session.id,
          work.finally(() => reading.delete(session.id)),
        )
      }
      return end
    },
    read: async (sessionId) => reading.get(sessionId),
  }
}

function isRead({ db: { sql } }: SessionDeps, sessionId: string): boolean {
  return [messagesOf, callsOf, nodesOf].every((rows) => rows.isRead(sql, sessionId))
}

async function readRest(
  deps: SessionDeps,
  seen: Seen,
  { sessionId, end }: { sessionId: string; end: Snapshot },
): Promise<void> {
  const { db, live } = deps
  for (const rows of [nodesOf, messagesOf, callsOf]) await rows.read(db.sql, sessionId)
  if (!db.sql.open) return
  const session = getSession(db.sql, sessionId)
  if (!session) return
  const isWhole = isRead(deps, sessionId)
  seen.remember(sessionId)
  // Another program wrote meanwhile, so the end may be another one.
  if (!isWhole) return live.reset(sessionId, () => snapshotOf(deps, session))
  const known = new Set(end.messages.map(({ id }) => id))
  for (const row of listMessages(db.sql, sessionId)) {
    if (row.status === 'queued' && !known.has(row.id)) {
      live.emit(sessionId, { t: 'message', message: publicMessage(row) })
    }
  }
  emitSession(deps, sessionId)
}

function snapshotOfEnd(deps: SessionDeps, session: SessionRow): Snapshot | null {
  const rows = deps.inTurn.has(session.id) ? null : endOf(deps, session)
  if (rows === null) return null
  const { said, queued } = rows
  const context = meterOfLast(deps, session, said)
  if (context === null) return null
  const catalogue = shownCatalogue(deps, session, said, () => emitSession(deps, session.id))
  const detail = {
    ...detailBeside(deps, session, catalogue),
    branches: { count: 1, at: 1, points: [] },
    context,
    spent: null,
  }
  const waiting = queued.map(publicMessage)
  const page = endPage(deps, session.id, { said, maxBytes: roomBeside(detail, waiting) })
  return { ...page, session: detail, messages: [...page.messages, ...waiting] }
}

interface EndRows {
  /** On the branch that is shown, each the answer to the one before it. */
  said: MessageRow[]
  queued: MessageRow[]
}

/**
 * The last rows of a chat; null where they don't say alone what its end is: the chat is short, has branches there, a row
 * is damaged, or too little of what the person said is among them to choose skills by.
 */
function endOf({ db: { sql } }: SessionDeps, { id }: SessionRow): EndRows | null {
  for (const count of END_ROWS) {
    const last = lastMessages(sql, id, count)
    const end = last.length < count || last.includes(null) ? null : endIn(sql, id, last)
    if (end) return end
  }
  return null
}

function endIn(sql: Connection, sessionId: string, last: readonly (LastRow | null)[]): EndRows | null {
  const rows = last.filter((row) => row !== null)
  const queued = rows.filter(({ row }) => row.status === 'queued').map(({ row }) => row)
  const said = rows.filter(({ row }) => row.status !== 'queued')
  const isLine = said.every(({ parentId }, at) => at === 0 || parentId === said[at - 1]!.row.id)
  const questions = said.filter(({ row }) => row.role === 'user')
  if (!isLine || said.at(-1)?.row.id !== leafOf(sql, sessionId) || questions.length < 2) return null
  // What the first one follows is not known, so it may have siblings.
  return { said: said.slice(1).map(({ row }) => row), queued }
}

function endPage(
  { db: { sql }, live }: SessionDeps,
  sessionId: string,
  { said, maxBytes }: { said: readonly MessageRow[]; maxBytes: number },
): ChatPage {
  const calls = said.flatMap(({ id }) => callsOfMessage(sql, id))
  const loads = calls[0] ? loadsBefore(sql, sessionId, calls[0].step) : []
  const rows = { messages: said, calls: [...loads, ...calls] }
  const page = pageOf(rows, { before: null, maxBytes, see: asShown(live) })
  const leads = page.older ? [] : leadsOf(page.calls, rows.calls)
  const begin = said[0]!.seq
  const { before, turns } = page.older ?? { before: { seq: begin, step: null }, turns: 0 }
  // How many turns lie before is told with the page before this one; until then as many as there are here are assumed.
  const share = said.filter(({ role }) => role === 'user').length / said.length
  const older = { before, turns: turns + Math.max(1, Math.round((begin - 1) * share)) }
  return { ...page, calls: [...leads, ...page.calls], older }
}
