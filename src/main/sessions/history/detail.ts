import { basename } from 'node:path'
import type { ChatPage, Message, SessionDetail, SessionSummary } from '@shared/domain/session'
import { readTree } from '../../db/branch-rows'
import { listCalls } from '../../db/call-rows'
import { listMessages, publicMessage, type MessageRow } from '../../db/message-rows'
import { lastCallNumber } from '../../db/model-call-rows'
import { getSession, listForks, type SessionRow } from '../../db/session-rows'
import { branchesOf } from './branch-tree'
import { PAGE_BYTES, pageOf, type PageAsked } from './chat-pages'
import type { Catalogue } from '../instructions/catalogue'
import { chatRows } from '../instructions/compose-call'
import type { SessionDeps } from '../deps'
import { agentOf, limitsOf } from '../agent/agent'
import { chatAgent } from '../agent/chat-agent'
import { keptMeter } from '../context/kept-meter'
import type { Snapshot } from './live'
import { meterOf, spentIn } from '../context/meter'
import { shownCatalogue } from '../instructions/shown-catalogue'
import { agentWishes } from '../agent/agent-model'
import { modelWishes } from '../agent/skill-model'

export function toSummary(deps: SessionDeps, session: SessionRow): SessionSummary {
  return {
    id: session.id,
    title: session.title,
    projectDir: session.projectDir,
    projectName: session.projectDir ? basename(session.projectDir) : null,
    state: stateNow(deps, session),
    waiting: familyOf(deps, session.id).reduce((sum, id) => sum + deps.broker.pending(id).length, 0),
    model: session.model,
    createdAt: session.createdAt,
    updatedAt: session.updatedAt,
  }
}

/** As if the person had chosen none. */
function withoutMode({ mode: _chosen, ...session }: SessionRow): SessionRow {
  return session
}

/** A chat and those that its skills began. */
export function familyOf({ db }: Pick<SessionDeps, 'db'>, sessionId: string): string[] {
  return [sessionId, ...listForks(db.sql, sessionId).map(({ id }) => id)]
}

/** A chat that still says so but runs nowhere was broken off. */
function stateNow({ inTurn, owner }: SessionDeps, { id, state }: SessionRow): SessionRow['state'] {
  return state === 'running' && !inTurn.has(id) && !owner.isElsewhere(id) ? 'interrupted' : state
}

export function toDetail(deps: SessionDeps, session: SessionRow): SessionDetail {
  const rows = chatRows(deps, session.id)
  const tell = () => emitSessionSoon(deps, session.id)
  const catalogue = shownCatalogue(deps, session, rows.messages, tell)
  return {
    ...detailBeside(deps, session, catalogue),
    branches: branchesOf(readTree(deps.db.sql, session.id)),
    context: keptMeter(deps, session, rows, tell) ?? meterOf(deps, session, { ...rows, catalogue }),
    spent: spentIn(deps, session.id),
  }
}

/** What is not made of the rows of the chat. */
export function detailBeside(
  deps: SessionDeps,
  session: SessionRow,
  catalogue: Catalogue,
): Omit<SessionDetail, 'branches' | 'context' | 'spent'> {
  return {
    ...toSummary(deps, session),
    activeSkills: session.activeSkills.map((active) => {
      const current = deps.currentDigest(active.key)
      return { ...active, changedOnDisk: current !== null && current !== active.digest }
    }),
    modelWishes: [...modelWishes(deps, session), ...agentWishes(deps, session)],
    agent: chatAgent(deps, session),
    maxActiveSkills: limitsOf(deps, agentOf(deps, session)).activeSkills,
    draft: session.draft,
    mode: agentOf(deps, session).mode,
    agentMode: agentOf(deps, withoutMode(session)).mode,
    projectTrusted: session.projectDir === null || deps.isTrusted(session.projectDir),
    catalogue: { entries: catalogue.entries, omitted: catalogue.omitted, tokens: catalogue.tokens },
    modelCalls: lastCallNumber(deps.db.sql, session.id),
  }
}

/** What the page needs to draw the end of a chat from nothing. */
export function snapshotOf(deps: SessionDeps, session: SessionRow): Snapshot {
  const detail = toDetail(deps, session)
  const queued = listMessages(deps.db.sql, session.id)
    .filter(({ status }) => status === 'queued')
    .map(publicMessage)
  const maxBytes = roomBeside(detail, queued)
  const { messages, calls, older } = shownPage(deps, session.id, { before: null, maxBytes })
  return { session: detail, messages: [...messages, ...queued], calls, older }
}

/** Bytes for the rows of a snapshot: a long draft or queue must not keep the end of the chat from being seen. */
export function roomBeside(detail: SessionDetail, queued: readonly Message[]): number {
  const beside = Buffer.byteLength(JSON.stringify([detail, queued]))
  return Math.max(SNAPSHOT_BYTES - Math.max(beside, SNAPSHOT_BYTES - PAGE_BYTES), MIN_BYTES)
}

const SNAPSHOT_BYTES = 256_000
const MIN_BYTES = 16_000

/** The rows of the shown branch before a place. */
export function shownPage(
  { db, live }: SessionDeps,
  sessionId: string,
  asked: Pick<PageAsked, 'before' | 'maxBytes'>,
): ChatPage {
  const rows = { messages: listMessages(db.sql, sessionId), calls: listCalls(db.sql, sessionId) }
  return pageOf(rows, { ...asked, see: asShown(live) })
}

/** Rows as they are shown now. */
export function asShown({ arriving, unsaved }: SessionDeps['live']): PageAsked['see'] {
  return {
    message: (row) => arriving.get(row.id) ?? publicMessage(row as MessageRow),
    call: (row) => unsaved.get(row.id) ?? row,
  }
}

/** Nothing is gathered for a chat that nobody watches. */
export function emitSession(deps: SessionDeps, sessionId: string): void {
  if (!deps.live.watched().includes(sessionId)) return
  const session = getSession(deps.db.sql, sessionId)
  if (session) deps.live.emit(sessionId, { t: 'session', session: toDetail(deps, session) })
}

/** The same a moment later, for all that happens until then: between the steps of a turn. */
export function emitSessionSoon(deps: SessionDeps, sessionId: string): void {
  deps.live.later(sessionId, () => emitSession(deps, sessionId))
}
