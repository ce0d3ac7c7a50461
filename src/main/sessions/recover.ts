import { getCall, listCalls, listRunningCalls, updateCall, type CallRow } from '../db/call-rows'
import { interruptStreaming } from '../db/message-rows'
import { listSessions, updateSession } from '../db/session-rows'
import { isOpen } from './call-step'
import type { RequestRow } from '../db/request-rows'
import type { SessionDeps } from './deps'
import { failed } from './envelope'

/**
 * At start, before any window: what was under way is marked interrupted, what waited waits again. Nothing is run, no
 * model is called: a person goes on by a click (`architecture.md` 3.4). Returns the number of chats touched.
 */
export function recoverSessions(deps: SessionDeps): number {
  const restored = deps.broker.restore()
  return deps.db.durable(() => {
    interruptStreaming(deps.db.sql)
    for (const call of listRunningCalls(deps.db.sql)) interrupt(deps, call)
    const waiting = restored.filter((row) => isStillAsked(deps, row))
    const open = listSessions(deps.db.sql).filter((session) => session.state !== 'idle')
    for (const session of open) {
      const waits = waiting.some((row) => row.sessionId === session.id)
      updateSession(deps.db.sql, session.id, { state: waits ? 'awaiting_approval' : 'interrupted' })
      endSpentCalls(deps, session.id)
    }
    return open.length
  })
}

/** A request whose call has ended, or is gone, is closed: allowing it would do nothing. */
function isStillAsked(deps: SessionDeps, row: RequestRow): boolean {
  const call = getCall(deps.db.sql, row.callId)
  if (call && isOpen(call)) return true
  deps.broker.cancel(row)
  return false
}

/** A call whose approval was spent on a run that the crash ended: never run again. */
function endSpentCalls(deps: SessionDeps, sessionId: string): void {
  for (const call of listCalls(deps.db.sql, sessionId).filter(isOpen)) {
    const request = call.requestId === null ? null : deps.broker.get(call.requestId)
    if (request?.usedAt) interrupt(deps, call)
  }
}

function interrupt(deps: SessionDeps, call: CallRow): void {
  updateCall(deps.db.sql, {
    ...call,
    state: 'interrupted',
    endedAt: deps.now(),
    envelope: failed('interrupted', 'The app ended while this was under way. It was not done again.'),
  })
}
