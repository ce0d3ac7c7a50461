import type { Message, Part } from '@shared/domain/session'
import { insertCall, listCalls, type CallRow } from '../db/call-rows'
import { insertMessage, listMessages, updateMessage, type MessageRow } from '../db/message-rows'
import { takeSeq, takeStep, updateSession, type SessionRow } from '../db/session-rows'
import { newId } from '../lib/ids'
import type { LlmEvent } from '../llm/types'
import { TOOLS } from './call-step'
import { nextCall } from './compose'
import type { SessionDeps } from './deps'
import { createDraft } from './draft'
import { failed } from './envelope'
import { toHistory } from './history'

type Done = Extract<LlmEvent, { type: 'done' }>
type CallEvent = Extract<LlmEvent, { type: 'tool-call' }>

/** More calls than this in one answer are answered with `limit` (attack case A90). */
const MAX_CALLS = 32
const TOO_MANY = `More than ${MAX_CALLS} calls in one answer are not carried out. Make fewer at once.`
const MAX_OUTPUT_TOKENS = 8192

/** One model call: instructions composed anew, the answer streamed, saved, and its tool calls made rows. */
export async function stepModel(
  deps: SessionDeps,
  session: SessionRow,
  signal: AbortSignal,
): Promise<'calls' | 'answered' | 'stopped' | 'failed'> {
  const instructions = await nextCall(deps, session)
  const earlier = listCalls(deps.db.sql, session.id)
  const calledBefore = earlier.length > 0
  const history = toHistory(listMessages(deps.db.sql, session.id), earlier)
  const message = openMessage(deps, session)
  const draft = createDraft(deps, message)
  const calls: CallEvent[] = []
  const request = {
    model: session.model,
    instructions: instructions.texts,
    history,
    // A history with calls needs their tools declared, also when every skill is gone.
    tools: instructions.hasSkills || calledBefore ? TOOLS.map((tool) => tool.spec) : [],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    signal,
  }
  for await (const event of deps.llm.stream(request)) {
    if (event.type === 'text' || event.type === 'reasoning') draft.add(event.type, event.text)
    else if (event.type === 'tool-call') calls.push(event)
    else if (event.type === 'done') return finish(deps, draft.flush(), calls, event)
    else if (event.type === 'stopped') return end(deps, draft.flush(), 'stopped', [])
    else return end(deps, draft.flush(), 'failed', [{ type: 'error', ...event.error }])
  }
  return end(deps, draft.flush(), 'failed', [BROKEN_OFF])
}

const BROKEN_OFF: Part = {
  type: 'error',
  code: 'bad_response',
  message: 'The answer broke off before it was complete.',
  action: 'Send the message again.',
}

function openMessage(deps: SessionDeps, session: SessionRow): MessageRow {
  return deps.db.tx(() => {
    const message: MessageRow = {
      id: newId('msg'),
      sessionId: session.id,
      seq: takeSeq(deps.db.sql, session.id),
      role: 'assistant',
      status: 'streaming',
      parts: [],
      usage: null,
      model: session.model,
      createdAt: deps.now(),
      providerMessages: null,
    }
    insertMessage(deps.db.sql, message)
    deps.live.emit(session.id, { t: 'message', message: publicMessage(message) })
    return message
  })
}

/** The answer and its calls become rows in one durable transaction: a crash leaves both or neither. */
function finish(
  deps: SessionDeps,
  draft: MessageRow,
  events: readonly CallEvent[],
  done: Done,
): 'calls' | 'answered' {
  const { sql } = deps.db
  const { message, calls } = deps.db.durable(() => {
    const calls = events.map((event, index) => newCall(deps, draft, event, index < MAX_CALLS))
    const parts: Part[] = [...draft.parts, ...calls.map((call): Part => ({ type: 'tool', callId: call.id }))]
    const providerMessages = done.providerMessages
    const message: MessageRow = { ...draft, status: 'done', parts, usage: done.usage, providerMessages }
    updateMessage(sql, message)
    for (const call of calls) insertCall(sql, call)
    updateSession(sql, draft.sessionId, { updatedAt: deps.now() })
    return { message, calls }
  })
  for (const call of calls) deps.live.emit(draft.sessionId, { t: 'call', call })
  deps.live.emit(draft.sessionId, { t: 'message', message: publicMessage(message) })
  return calls.length > 0 ? 'calls' : 'answered'
}

function newCall(deps: SessionDeps, message: MessageRow, event: CallEvent, withinLimit: boolean): CallRow {
  return {
    id: newId('call'),
    sessionId: message.sessionId,
    messageId: message.id,
    providerCallId: event.providerCallId,
    step: takeStep(deps.db.sql, message.sessionId),
    name: event.name,
    input: event.input ?? { __unreadable__: event.raw.slice(0, 10_000) },
    state: withinLimit ? 'ready' : 'failed',
    envelope: withinLimit ? null : failed('limit', TOO_MANY),
    requestId: null,
    runId: null,
    startedAt: null,
    endedAt: null,
  }
}

function end(
  deps: SessionDeps,
  draft: MessageRow,
  how: 'stopped' | 'failed',
  more: Part[],
): 'stopped' | 'failed' {
  const message: MessageRow = {
    ...draft,
    status: how === 'stopped' ? 'stopped' : 'error',
    parts: [...draft.parts, ...more],
  }
  deps.db.durable(() => updateMessage(deps.db.sql, message))
  deps.live.emit(draft.sessionId, { t: 'message', message: publicMessage(message) })
  return how
}

/** A message without the provider's own form, as the page gets it. */
export function publicMessage({ providerMessages: _kept, ...message }: MessageRow): Message {
  return message
}
