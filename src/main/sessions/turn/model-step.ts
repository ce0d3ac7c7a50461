import type { Part } from '@shared/domain/session'
import { insertCall, type CallRow } from '../../db/call-rows'
import { insertMessage, publicMessage, updateMessage, type MessageRow } from '../../db/message-rows'
import { takeSeq, takeStep, updateSession, type SessionRow } from '../../db/session-rows'
import { faultPoint } from '../../lib/fault-point'
import { newId } from '../../lib/ids'
import type { LlmEvent, Retry, UsedByFailed } from '../../llm/types'
import { countedUsage, endCall, keepCall, type KeptCall } from '../context/call-record'
import { catalogueFacts } from '../instructions/catalogue-facts'
import { insteadOf } from '../agent/agent-model'
import { composeToFit } from '../history/branch-summary'
import type { ChatRows, ComposedCall } from '../instructions/compose-call'
import { agentOf } from '../agent/agent'
import type { SessionDeps } from '../deps'
import { createDraft } from '../history/draft'
import { failed } from './envelope'
import { onlyLooks } from './looking'
import { meterAt } from '../context/meter'
import { QUITTING } from './quitting'
import { overLimit } from './spending-limit'

type Done = Extract<LlmEvent, { type: 'done' }>
type Failure = Extract<LlmEvent, { type: 'error' }>
type CallEvent = Extract<LlmEvent, { type: 'tool-call' }>

/** More calls than this in one answer are answered with `limit` (attack case A90). */
const MAX_CALLS = 32
const TOO_MANY = `More than ${MAX_CALLS} calls in one answer are not carried out. Make fewer at once.`
const MAX_OUTPUT_TOKENS = 8192
/** For a call that its provider gave no id: only a person's own calls have none. */
const UNNAMED = 'unnamed'

/**
 * One model call: instructions composed anew, the answer streamed, saved, and its tool calls made rows. `instead`: it
 * failed before anything arrived, and the agent's fallback is to be asked.
 */
export async function stepModel(
  deps: SessionDeps,
  session: SessionRow,
  signal: AbortSignal,
): Promise<'calls' | 'answered' | 'stopped' | 'failed' | 'instead'> {
  await deps.mcp.ready(session.id, signal)
  const fitted = await composeToFit(deps, session, signal)
  if (fitted === null) return 'stopped'
  const { composed, rows } = fitted
  const { thinking } = agentOf(deps, session)
  const refusal = overLimit(deps, session) ?? fitted.refusal
  const { message, kept } = openMessage(deps, session, refusal ? null : { composed, rows })
  if (refusal) return fail(deps, { message, kept }, { type: 'error', ...refusal })
  const draft = createDraft(deps, message)
  const calls: CallEvent[] = []
  const request = {
    model: session.model,
    instructions: composed.instructions,
    history: composed.history,
    tools: composed.tools,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    ...(thinking === null ? {} : { thinking }),
    signal,
    onRetry: (retry: Retry) => {
      if (kept) kept.retries += 1
      deps.live.emit(session.id, { t: 'retry', messageId: message.id, ...retry })
    },
  }
  const answer = () => ({ message: draft.finish(), kept })
  try {
    faultPoint('turn.before-call')
    for await (const event of deps.llm.stream(request)) {
      faultPoint('stream.mid-answer')
      if (event.type === 'text' || event.type === 'reasoning') draft.add(event.type, event.text)
      else if (event.type === 'tool-call') calls.push(event)
      else if (event.type === 'done') return finish(deps, answer(), calls, event)
      else if (event.type === 'stopped') return stopped(deps, answer(), { signal, used: event.used })
      else return failOrInstead(deps, session, answer(), event)
    }
    return fail(deps, answer(), BROKEN_OFF, NOT_COUNTED)
  } finally {
    draft.abandon()
  }
}

const BROKEN_OFF: Part = {
  type: 'error',
  code: 'bad_response',
  message: 'The answer broke off before it was complete.',
  action: 'Send the message again.',
}

const NOT_COUNTED: UsedByFailed = { inputTokens: null, outputTokens: 0, estimated: true }

/** Not an error of the answer, but what a person must know of it. */
const CUT: Part = {
  type: 'error',
  code: 'cut',
  message: 'The answer reached its length limit and ends here.',
  action: 'Ask the agent to go on.',
}

/** An answer that arrives, and the call that it answers; none where no call was made. */
interface Answer {
  message: MessageRow
  kept: KeptCall | null
}

function openMessage(
  deps: SessionDeps,
  session: SessionRow,
  call: { composed: ComposedCall; rows: ChatRows } | null,
): Answer {
  const opened = deps.db.tx(() => {
    const row: MessageRow = {
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
    insertMessage(deps.db.sql, row)
    return { message: row, kept: call && keepAnswer(deps, session, row.id, call) }
  })
  deps.live.emit(session.id, { t: 'message', message: publicMessage(opened.message) })
  return opened
}

function keepAnswer(
  deps: SessionDeps,
  session: SessionRow,
  messageId: string,
  { composed, rows }: { composed: ComposedCall; rows: ChatRows },
): KeptCall {
  const { catalogue, parts } = composed
  return keepCall(deps, {
    ...composed,
    sessionId: session.id,
    kind: 'answer',
    messageId,
    catalogue: catalogueFacts(deps, session, catalogue),
    meter: meterAt(deps, session, { ...rows, catalogue, project: parts.project ?? 0 }),
  })
}

/**
 * The answer and its calls become rows in one transaction: a crash leaves both or neither. A call that may change
 * something survives the loss of power from before it is carried out (ADR 0022).
 */
function finish(
  deps: SessionDeps,
  { message: draft, kept }: Answer,
  events: readonly CallEvent[],
  done: Done,
): 'calls' | 'answered' {
  const { sql } = deps.db
  const save = events.every(({ name }) => onlyLooks(name)) ? deps.db.soon : deps.db.durable
  const { message, calls } = save(() => {
    const calls = events.map((event, index) => newCall(deps, draft, event, index < MAX_CALLS))
    const more = calls.map((call): Part => ({ type: 'tool', callId: call.id }))
    const parts = [...draft.parts, ...more, ...(done.cut && calls.length === 0 ? [CUT] : [])]
    const providerMessages = done.providerMessages
    const message: MessageRow = { ...draft, status: 'done', parts, usage: done.usage, providerMessages }
    updateMessage(sql, message)
    faultPoint('answer.before-save')
    for (const call of calls) insertCall(sql, call)
    if (kept) endCall(deps, kept, 'answered', done.usage)
    updateSession(sql, draft.sessionId, { updatedAt: deps.now() })
    return { message, calls }
  })
  faultPoint('answer.after-save')
  for (const call of calls) deps.live.emit(draft.sessionId, { t: 'call', call })
  deps.live.emit(draft.sessionId, { t: 'message', message: publicMessage(message) })
  return calls.length > 0 ? 'calls' : 'answered'
}

function newCall(deps: SessionDeps, message: MessageRow, event: CallEvent, withinLimit: boolean): CallRow {
  return {
    id: newId('call'),
    sessionId: message.sessionId,
    messageId: message.id,
    providerCallId: event.providerCallId || UNNAMED,
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

/** A quit is no wish of the person: the answer counts as broken off, and the chat can go on with it. */
function stopped(
  deps: SessionDeps,
  answer: Answer,
  { signal, used }: { signal: AbortSignal; used: UsedByFailed | undefined },
): 'stopped' {
  const status = signal.reason === QUITTING ? 'interrupted' : 'stopped'
  end(deps, { ...answer, message: { ...answer.message, status } }, 'stopped', used)
  return 'stopped'
}

function fail(deps: SessionDeps, { message, kept }: Answer, error: Part, used?: UsedByFailed): 'failed' {
  const parts = [...message.parts, error]
  end(deps, { kept, message: { ...message, status: 'error', parts } }, 'failed', used)
  return 'failed'
}

/** What arrived is an answer, however short: nobody begins it anew. */
function failOrInstead(
  deps: SessionDeps,
  session: SessionRow,
  answer: Answer,
  { error, used }: Failure,
): 'failed' | 'instead' {
  const other = answer.message.parts.length === 0 ? insteadOf(deps, session, error) : null
  if (other === null) return fail(deps, answer, { type: 'error', ...error }, used)
  const action = `${other}, the fallback of the agent, answers instead.`
  fail(deps, answer, { type: 'error', ...error, action }, used)
  return 'instead'
}

function end(
  deps: SessionDeps,
  { message: ended, kept }: Answer,
  outcome: 'stopped' | 'failed',
  used: UsedByFailed | undefined,
): void {
  const message = { ...ended, usage: used ? countedUsage(used) : null }
  deps.db.durable(() => {
    updateMessage(deps.db.sql, message)
    if (kept) endCall(deps, kept, outcome, used)
  })
  deps.live.emit(message.sessionId, { t: 'message', message: publicMessage(message) })
}
