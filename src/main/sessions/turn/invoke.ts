import type { Part } from '@shared/domain/session'
import { insertCall, type CallRow } from '../../db/call-rows'
import { updateMessage, type MessageRow } from '../../db/message-rows'
import type { SessionRow } from '../../db/session-rows'
import type { SessionDeps } from '../deps'
import { textOf } from '../history/history'
import { readInvocations, type Invocation } from './invocation'
import { ownCall } from './own-calls'
import { resolveHere } from '../instructions/usable-skills'

/** A message that was handed over, with the loads that it asks for. */
export interface Invoked {
  message: MessageRow
  calls: CallRow[]
  note: string | null
}

/**
 * Makes the skills that a message names calls of the ledger, in the transaction that hands the message over: they are
 * carried out, asked about and recovered like every other call, and before the model is called.
 */
export function invokeSkills(deps: SessionDeps, session: SessionRow, message: MessageRow): Invoked {
  const { found, note } = readInvocations(textOf(message), (name) => resolveHere(deps, session, name))
  const calls = found.map((invocation) =>
    ownCall(deps, { sessionId: session.id, messageId: message.id, ...loadOf(invocation) }),
  )
  if (calls.length === 0) return { message, calls, note }
  const parts = [...message.parts, ...calls.map(({ id }): Part => ({ type: 'tool', callId: id }))]
  const invoking: MessageRow = { ...message, parts }
  updateMessage(deps.db.sql, invoking)
  for (const call of calls) insertCall(deps.db.sql, call)
  return { message: invoking, calls, note }
}

/** After the transaction: what is told must be what is saved. */
export function tellInvoked(deps: SessionDeps, { message, calls, note }: Invoked): void {
  for (const call of calls) deps.live.emit(call.sessionId, { t: 'call', call })
  const { sessionId } = message
  if (note !== null) deps.emit({ t: 'notice', level: 'info', message: note, sessionId })
}

function loadOf({ name, args }: Invocation) {
  return {
    name: 'skills_load',
    input: { names: [name], mode: 'add', ...(args === undefined ? {} : { args }) },
  }
}
