import { getCall, listCalls, listRunningCalls, updateCall, type CallRow } from '../../db/call-rows'
import { interruptStreaming } from '../../db/message-rows'
import { listBusySessions, listForks, updateSession } from '../../db/session-rows'
import { isOpen } from './call-step'
import type { RequestRow } from '../../db/request-rows'
import { removeLeftWrites } from '../../workspace/begun-writes'
import type { SessionDeps } from '../deps'
import { failed } from './envelope'
import { interruptedRun } from '../tools/execute-run'

/**
 * At start, before any window, and when another program on the same data has ended: what was under way is marked
 * interrupted, what waited waits again. Nothing is run, no model is called: a person goes on by a click
 * (`architecture.md` 3.4). Chats that a living program works on are left alone, except `takenOver`, which this one
 * holds already. Returns the number of chats touched.
 */
export function recoverSessions(deps: SessionDeps, takenOver?: string): number {
  return deps.db.durable(() => {
    const held = deps.owner.sweep()
    const isMine = (sessionId: string) => sessionId === takenOver || !held.has(sessionId)
    deps.broker.restore({ isMine, isAlone: deps.owner.isAlone() })
    interruptStreaming(deps.db.sql, isMine)
    for (const call of listRunningCalls(deps.db.sql)) if (isMine(call.sessionId)) interrupt(deps, call)
    const waiting = deps.broker.pending().filter((row) => isMine(row.sessionId) && isStillAsked(deps, row))
    const open = listBusySessions(deps.db.sql).filter(({ id }) => isMine(id))
    for (const session of open) {
      const family = new Set([session.id, ...listForks(deps.db.sql, session.id).map(({ id }) => id)])
      const waits = waiting.some((row) => family.has(row.sessionId))
      updateSession(deps.db.sql, session.id, { state: waits ? 'awaiting_approval' : 'interrupted' })
      endSpentCalls(deps, session.id)
    }
    return open.length
  })
}

/** What a program that ended left, runs first: what a call of theirs printed belongs to its result. */
export async function recoverLeft(deps: SessionDeps, takenOver?: string): Promise<void> {
  await deps.runs.recover()
  const left = removeLeftWrites(deps.writingDir)
  await deps.store.removeLeft().catch((error: unknown) => left.push(String(error)))
  for (const reason of left) deps.log.warn('Something half done could not be removed', { reason })
  recoverSessions(deps, takenOver)
  if (takenOver !== undefined) deps.owner.settled(takenOver)
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
    // One that began a chat goes on with it: what its request allowed had ended before.
    if (request?.usedAt && call.childId === undefined) interrupt(deps, call)
  }
}

const NOT_DONE = failed(
  'interrupted',
  'Satchel ended while this was under way. It is not done again by itself.',
)

function interrupt(deps: SessionDeps, call: CallRow): void {
  updateCall(deps.db.sql, {
    ...call,
    state: 'interrupted',
    endedAt: deps.now(),
    envelope: call.runId === null ? NOT_DONE : interruptedRun(deps, call),
  })
}
