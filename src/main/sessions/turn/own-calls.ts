import type { Part } from '@shared/domain/session'
import { insertCall, type CallRow } from '../../db/call-rows'
import { insertMessage, publicMessage, type MessageRow } from '../../db/message-rows'
import { takeSeq, takeStep, type SessionRow } from '../../db/session-rows'
import { newId } from '../../lib/ids'
import type { SessionDeps } from '../deps'
import { NO_PROVIDER_CALL } from './person-call'
import { POST_HOOKS } from '../tools/post-hooks'

/**
 * At the end of a turn the post-hooks of the skills that it loaded become calls of the ledger (R13). True when there
 * are some: the turn goes on with them.
 */
export function callPostHooks(deps: SessionDeps, session: SessionRow): boolean {
  const due = session.activeSkills.filter(({ postHooks }) => postHooks !== undefined)
  if (due.length === 0) return false
  noteCalls(
    deps,
    session.id,
    due.map(({ key, name }) => ({ name: POST_HOOKS, input: { key, name } })),
  )
  return true
}

type OwnCall = Pick<CallRow, 'name' | 'input'>

/** Calls that no model made, at a place of their own in the ledger. */
export function noteCalls(deps: SessionDeps, sessionId: string, wanted: readonly OwnCall[]): void {
  const { sql } = deps.db
  const { message, calls } = deps.db.durable(() => {
    const id = newId('msg')
    const calls = wanted.map((call): CallRow => ownCall(deps, { sessionId, messageId: id, ...call }))
    const message: MessageRow = {
      id,
      sessionId,
      seq: takeSeq(sql, sessionId),
      role: 'note',
      status: 'done',
      parts: calls.map((call): Part => ({ type: 'tool', callId: call.id })),
      usage: null,
      model: null,
      createdAt: deps.now(),
      providerMessages: null,
    }
    insertMessage(sql, message)
    for (const call of calls) insertCall(sql, call)
    return { message, calls }
  })
  for (const call of calls) deps.live.emit(sessionId, { t: 'call', call })
  deps.live.emit(sessionId, { t: 'message', message: publicMessage(message) })
}

/** A call that waits to be carried out, under no id of a provider. */
export function ownCall(
  deps: SessionDeps,
  call: OwnCall & Pick<CallRow, 'sessionId' | 'messageId'>,
): CallRow {
  return {
    ...call,
    id: newId('call'),
    providerCallId: NO_PROVIDER_CALL,
    step: takeStep(deps.db.sql, call.sessionId),
    state: 'ready',
    envelope: null,
    requestId: null,
    runId: null,
    startedAt: null,
    endedAt: null,
  }
}
