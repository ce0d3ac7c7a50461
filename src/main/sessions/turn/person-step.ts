import type { CallState, Envelope } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import { insertCall, type CallRow } from '../../db/call-rows'
import { insertMessage, publicMessage, type MessageRow } from '../../db/message-rows'
import { takeSeq, takeStep } from '../../db/session-rows'
import { newId } from '../../lib/ids'
import type { SessionDeps } from '../deps'
import { emitSession } from '../history/detail'
import { NO_PROVIDER_CALL } from './person-call'
import { noteCalls } from './own-calls'
import type { Tool } from '../tools/tool'
import { need } from './turn'

export interface PersonStep {
  tool: Tool
  input: Record<string, unknown>
}

/**
 * A step that a person takes beside the conversation, such as loading a skill: the service of the tool does it, and it
 * stands in the ledger like every other (R4, R5). `waiting`: a hook must be allowed first, so that the step is left to
 * a turn, which asks. Throws what the tool refuses, which is a step too.
 */
export async function stepOfPerson(
  deps: SessionDeps,
  sessionId: string,
  { tool, input }: PersonStep,
): Promise<'done' | 'waiting'> {
  const session = need(deps, sessionId)
  const began = performance.now()
  const call = newCall(deps, { sessionId, name: tool.spec.name, input })
  const outcome = await tool.run({ deps, session, call, signal: new AbortController().signal }, input)
  if (outcome.kind === 'waiting') {
    noteCalls(deps, sessionId, [{ name: call.name, input }])
    return 'waiting'
  }
  const state: CallState = outcome.state ?? (outcome.envelope.success ? 'done' : 'failed')
  const envelope = { ...outcome.envelope, duration_ms: Math.round(performance.now() - began) }
  const done: CallRow = { ...call, state, envelope, endedAt: deps.now() }
  const note = deps.db.durable(() => {
    need(deps, sessionId)
    const row = noteFor(deps, done)
    insertMessage(deps.db.sql, row)
    insertCall(deps.db.sql, done)
    outcome.record?.()
    return row
  })
  deps.live.emit(sessionId, { t: 'call', call: done })
  deps.live.emit(sessionId, { t: 'message', message: publicMessage(note) })
  emitSession(deps, sessionId)
  if (!envelope.success) throw failureOf(envelope)
  return 'done'
}

/** What a policy blocks is told apart: the command ends otherwise then. */
function failureOf({ error, error_code: code }: Envelope): AppError {
  const isBlocked = code === 'blocked_by_policy'
  return new AppError(isBlocked ? 'blocked_by_policy' : 'bad_input', error ?? 'This could not be done.')
}

function newCall(deps: SessionDeps, of: Pick<CallRow, 'sessionId' | 'name' | 'input'>): CallRow {
  return {
    ...of,
    id: newId('call'),
    messageId: newId('msg'),
    providerCallId: NO_PROVIDER_CALL,
    byPerson: true,
    step: deps.db.tx(() => takeStep(deps.db.sql, of.sessionId)),
    state: 'running',
    envelope: null,
    requestId: null,
    runId: null,
    startedAt: deps.now(),
    endedAt: null,
  }
}

/** Where the step stands in the chat; a model never sees it. */
function noteFor(deps: SessionDeps, { id, sessionId, messageId }: CallRow): MessageRow {
  return {
    id: messageId,
    sessionId,
    seq: takeSeq(deps.db.sql, sessionId),
    role: 'note',
    status: 'done',
    parts: [{ type: 'tool', callId: id }],
    usage: null,
    model: null,
    createdAt: deps.now(),
    providerMessages: null,
  }
}
