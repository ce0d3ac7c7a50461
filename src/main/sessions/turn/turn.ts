import { AppError } from '@shared/errors'
import { listCalls } from '../../db/call-rows'
import {
  deliverMessage,
  listMessages,
  publicMessage,
  updateMessage,
  type MessageRow,
} from '../../db/message-rows'
import { getSession, takeSeq, updateSession, type SessionRow } from '../../db/session-rows'
import { agentOf } from '../agent/agent'
import { withFallback } from '../agent/agent-model'
import { bringAlwaysOn } from '../instructions/always-on'
import { isOpen, settleCall, stepCall } from './call-step'
import { unloadBlocked } from './unload-blocked'
import type { SessionDeps } from '../deps'
import { emitSession, emitSessionSoon } from '../history/detail'
import { failed } from './envelope'
import { stepModel } from './model-step'
import { invokeSkills, tellInvoked } from './invoke'
import { callPostHooks } from './own-calls'
import { QUITTING } from './quitting'
import { nextModel } from '../agent/skill-model'
import { limitReached } from './turn-limits'

/** One go at a chat: a turn goes round again when something arrived meanwhile. */
export interface Round {
  sessionId: string
  signal: AbortSignal
  /** It begins the turn: a person asked for it just now, and may have asked for a failed answer once more. */
  isFirst: boolean
}

/**
 * Drives a chat until nothing is left to do or a person must decide. Its only state is the rows, so starting,
 * going on after a decision and going on after a restart are this same function (`architecture.md` 3.4).
 */
export async function runTurn(deps: SessionDeps, { sessionId, signal, isFirst }: Round): Promise<void> {
  endBrokenOff(deps, sessionId)
  setState(deps, sessionId, 'running')
  const began = deps.now()
  await bringAlwaysOn(deps, sessionId)
  for (let step = 0; ; step += 1) {
    unloadBlocked(deps, sessionId)
    const session = need(deps, sessionId)
    if ((await settleOpenCalls(deps, session, signal)) === 'waiting') {
      return setState(deps, sessionId, 'awaiting_approval')
    }
    if (signal.aborted) return setState(deps, sessionId, stateAfterStop(deps, sessionId, signal))
    // A message that waited may name skills: they are loaded before it is answered.
    if (deliverQueued(deps, sessionId)) continue
    const messages = listMessages(deps.db.sql, sessionId)
    const now = need(deps, sessionId)
    const base = nextModel(deps, now)
    const model = withFallback(deps, now, { base, messages })
    if (!owesAnswer(messages, model !== base || (isFirst && step === 0))) {
      if (callPostHooks(deps, need(deps, sessionId))) continue
      return setState(deps, sessionId, 'idle')
    }
    // Looked at here, after the calls of the last answer were carried out: none stays open.
    // A model that loops is stopped here (attack case A90).
    const limit = limitReached(deps, session, { messages, began })
    if (limit !== null) return endAtLimit(deps, session, limit)
    const outcome = await stepModel(deps, { ...now, model }, signal)
    emitSessionSoon(deps, sessionId)
    if (outcome === 'stopped') return setState(deps, sessionId, stateAfterStop(deps, sessionId, signal))
    if (outcome === 'failed') return setState(deps, sessionId, 'idle')
  }
}

/** After a quit a chat can go on where something is left to do; after a person's stop nothing is. */
function stateAfterStop(deps: SessionDeps, sessionId: string, signal: AbortSignal): SessionRow['state'] {
  if (signal.reason !== QUITTING) return 'idle'
  const open = listCalls(deps.db.sql, sessionId).some(isOpen)
  return open || owesAnswer(listMessages(deps.db.sql, sessionId)) ? 'interrupted' : 'idle'
}

/** Told in the chat that the person talks in: of an agent that works for it, with its name. */
function endAtLimit(deps: SessionDeps, session: SessionRow, what: string): void {
  const { id, fork } = session
  const message = fork
    ? `${agentOf(deps, session).label}, which works for this chat, ${what} and was stopped.`
    : `The agent ${what} and was stopped. Send a message to let it go on.`
  const sessionId = rootOf(deps, session).id
  deps.emit({ t: 'notice', level: 'warning', message, sessionId, ...(fork ? {} : { limitOf: id }) })
  setState(deps, id, 'idle')
}

function rootOf(deps: SessionDeps, session: SessionRow): SessionRow {
  const parent = session.fork && getSession(deps.db.sql, session.fork.parentId)
  return parent ? rootOf(deps, parent) : session
}

/** What a call needs to drive a chat that it began: the same function, under the same stop. */
function withChildren(deps: SessionDeps): SessionDeps {
  return {
    ...deps,
    async runChild(sessionId, signal) {
      const release = deps.owner.hold(sessionId)
      deps.inTurn.add(sessionId)
      try {
        await runTurn(deps, { sessionId, signal, isFirst: false })
      } finally {
        deps.inTurn.delete(sessionId)
        release()
      }
    },
  }
}

/** In the order of the ledger, one after the other (D7): a call that waits holds back those after it. */
async function settleOpenCalls(
  deps: SessionDeps,
  session: SessionRow,
  signal: AbortSignal,
): Promise<'settled' | 'waiting'> {
  for (const call of listCalls(deps.db.sql, session.id).filter(isOpen)) {
    if (signal.aborted && signal.reason === QUITTING) return 'settled'
    if (signal.aborted) {
      settleCall(deps, call, {
        envelope: failed('cancelled', 'The person stopped this turn before the call was carried out.'),
        state: 'cancelled',
      })
      continue
    }
    const outcome = await stepCall(withChildren(deps), need(deps, session.id), call, signal)
    if (outcome === 'waiting') {
      const waiting = listCalls(deps.db.sql, session.id).find((row) => row.id === call.id)
      if (waiting) deps.live.emit(session.id, { t: 'call', call: waiting })
      return 'waiting'
    }
    emitSessionSoon(deps, session.id)
  }
  return 'settled'
}

/**
 * Messages that a person sent meanwhile join the history here, between two steps, in their order. True when one of
 * them asks for a skill.
 */
function deliverQueued(deps: SessionDeps, sessionId: string): boolean {
  let asksForSkills = false
  const queued = listMessages(deps.db.sql, sessionId).filter((message) => message.status === 'queued')
  for (const message of queued) {
    const delivered = deps.db.durable(() => {
      const row: MessageRow = { ...message, seq: takeSeq(deps.db.sql, sessionId), status: 'done' }
      deliverMessage(deps.db.sql, row)
      return invokeSkills(deps, need(deps, sessionId), row)
    })
    tellInvoked(deps, delivered)
    deps.live.emit(sessionId, { t: 'message', message: publicMessage(delivered.message) })
    asksForSkills ||= delivered.calls.length > 0
  }
  return asksForSkills
}

/** Between two turns nothing streams: an answer that still says so is one whose end could not be saved. */
export function endBrokenOff(deps: SessionDeps, sessionId: string): void {
  const broken = listMessages(deps.db.sql, sessionId).filter((message) => message.status === 'streaming')
  for (const message of broken) {
    const ended: MessageRow = { ...message, status: 'interrupted' }
    deps.db.durable(() => updateMessage(deps.db.sql, ended))
    deps.live.emit(sessionId, { t: 'message', message: publicMessage(ended) })
  }
}

/**
 * True when the last thing said is the person's, the results of calls, or an answer that a crash broke off; `again`:
 * also an answer that failed. A turn that failed itself never asks once more.
 */
function owesAnswer(messages: readonly MessageRow[], again = false): boolean {
  const last = messages.findLast(({ role }) => role !== 'note')
  if (!last) return false
  if (last.role === 'user' || last.status === 'interrupted') return true
  if (last.status === 'error') return again
  return last.status === 'done' && last.parts.some((part) => part.type === 'tool')
}

export function setState(deps: SessionDeps, sessionId: string, state: SessionRow['state']): void {
  deps.db.tx(() => updateSession(deps.db.sql, sessionId, { state, updatedAt: deps.now() }))
  emitSession(deps, sessionId)
  deps.emit({ t: 'sessions.changed' })
}

/** The chat's row, or `not_found`. */
export function need(deps: Pick<SessionDeps, 'db'>, sessionId: string): SessionRow {
  const session = getSession(deps.db.sql, sessionId)
  if (!session) throw new AppError('not_found', 'This chat does not exist any more.')
  return session
}
