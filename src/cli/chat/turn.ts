import type {
  Message,
  Part,
  SessionDetail,
  SessionEvent,
  SessionState,
  ToolCall,
  Usage,
} from '@shared/domain/session'
import { EXIT } from '../grammar/exit-codes'
import type { ExitCode } from '../grammar/exit-codes'
import { createChildSteps } from './child-steps'
import type { ChildSteps } from './child-steps'
import { answerRequests } from './questions'
import type { Asking } from './questions'
import type { Answer } from './teller'
import { createTyping } from './typing'
import type { Typing } from './typing'

/** What came of one message. */
export interface TurnEnd {
  /** The last thing the agent said. */
  text: string
  /** `stopped`: by the person; `interrupted`: it can go on. */
  status: 'done' | 'failed' | 'stopped' | 'interrupted'
  /** Of a failed answer: what happened and what to do. */
  error: { code: string; message: string } | null
  answers: Answer[]
  /** Its steps, in their order. */
  calls: ToolCall[]
  /** The policy kept a step from being done. */
  blocked: boolean
  /** `costUsd`: of the answers whose price is known; `unpriced` counts the others, `estimated` those that the provider did not count. */
  usage: Usage & { costUsd: number; unpriced: number; estimated: number }
}

/** How the command ends after a turn that came to its end. */
export function exitOf({ blocked, answers }: Pick<TurnEnd, 'blocked' | 'answers'>): ExitCode {
  if (blocked) return EXIT.blockedByPolicy
  return answers.some((answer) => answer !== 'allowed') ? EXIT.denied : EXIT.done
}

interface State {
  asking: Asking
  /** What was in the chat before: not told again. */
  before: Set<string>
  /** Messages before this `seq` were in it too: only the newest are sent. */
  beforeSeq: number
  /** Characters told so far of each part of an answer. */
  told: Map<string, number>
  messages: Map<string, Message>
  calls: Map<string, ToolCall>
  answers: Answer[]
  began: boolean
  children: ChildSteps
  typing: Typing
  /** What the chat had used before, and now. */
  spent: { before: Spent | null; now: Spent | null }
}

type Spent = NonNullable<SessionDetail['spent']>

/** Says something in a chat and tells what happens, until nothing is left to do. Throws what sending throws. */
export async function runTurn(asking: Asking, sessionId: string, text: string): Promise<TurnEnd> {
  return runSteps(asking, sessionId, () => asking.app.handlers['sessions.send']({ sessionId, text }))
}

/** The same for whatever begins the turn. */
export async function runSteps(asking: Asking, sessionId: string, begin: () => unknown): Promise<TurnEnd> {
  const { handlers } = asking.app
  const watching = new AbortController()
  const events = handlers['sessions.watch']({ sessionId }, watching.signal)[Symbol.asyncIterator]()
  const typing = createTyping(asking)
  const state: State = {
    asking,
    typing,
    children: createChildSteps({ ...asking, typing }),
    spent: { before: null, now: null },
    before: new Set(),
    beforeSeq: 0,
    told: new Map(),
    messages: new Map(),
    calls: new Map(),
    answers: [],
    began: false,
  }
  try {
    const first = await events.next()
    if (first.done !== true) rememberBefore(state, first.value)
    await begin()
    // What already waited in the chat is before the message.
    if (first.done !== true && stateIn(first.value) === 'awaiting_approval') await answerAll(state, sessionId)
    const status = await follow(state, events, sessionId)
    await state.children.end()
    return endOf(state, status)
  } finally {
    await typing.end()
    watching.abort()
  }
}

function rememberBefore(state: State, event: SessionEvent): void {
  if (event.t !== 'snapshot') return
  const { before } = state
  state.beforeSeq = event.older?.before.seq ?? 0
  state.spent.before = event.session.spent
  for (const { id, status } of event.messages) if (status !== 'queued') before.add(id)
  for (const { id, envelope } of event.calls) if (envelope !== null) before.add(id)
}

async function follow(
  state: State,
  events: AsyncIterator<SessionEvent>,
  sessionId: string,
): Promise<SessionState> {
  for (;;) {
    const next = await events.next()
    if (next.done === true) return 'interrupted'
    tell(state, next.value)
    const now = stateIn(next.value)
    if (now === 'running') state.began = true
    if (now === 'awaiting_approval') await answerAll(state, sessionId)
    else if (state.began && (now === 'idle' || now === 'interrupted')) return now
  }
}

async function answerAll(state: State, sessionId: string): Promise<void> {
  state.began = true
  state.answers.push(...(await answerRequests(state.asking, sessionId)))
}

function stateIn(event: SessionEvent): SessionState | null {
  return event.t === 'session' || event.t === 'snapshot' ? event.session.state : null
}

function tell(state: State, event: SessionEvent): void {
  if (event.t === 'session') state.spent.now = event.session.spent
  const { teller } = state.asking
  if (event.t === 'delta') {
    if (state.before.has(event.messageId)) return
    count(state, `${event.messageId} ${event.partIndex}`, event.text.length)
    teller.text(event.kind, event.text)
  } else if (event.t === 'message') tellMessage(state, event.message)
  else if (event.t === 'call') tellCall(state, event.call)
  else if (event.t === 'retry')
    teller.notice(`${event.reason}. Asking again in ${Math.ceil(event.inMs / 1000)} s.`)
  else if (event.t === 'snapshot') {
    const since = event.messages.filter(({ seq }) => seq >= state.beforeSeq)
    const ids = new Set(since.map(({ id }) => id))
    for (const message of since) tellMessage(state, message)
    for (const call of event.calls) if (ids.has(call.messageId)) tellCall(state, call)
  }
}

function count({ told }: State, key: string, length: number): void {
  told.set(key, (told.get(key) ?? 0) + length)
}

/** What of an answer did not come piece by piece is told at its end. */
function tellMessage(state: State, message: Message): void {
  if (message.role !== 'assistant' || state.before.has(message.id)) return
  const known = state.messages.get(message.id)
  state.messages.set(message.id, message)
  if (!known) tellFailureBefore(state, message)
  if (message.status === 'streaming' || (known && known.status !== 'streaming')) return
  message.parts.forEach((part, index) => {
    if (part.type !== 'text' && part.type !== 'reasoning') return
    const rest = part.text.slice(state.told.get(`${message.id} ${index}`) ?? 0)
    if (rest !== '') state.asking.teller.text(part.type, rest)
  })
  state.asking.teller.message(message)
}

/** One that another answer follows at once: the fallback's. The last one is told as the end of the turn. */
function tellFailureBefore({ messages, asking }: State, { seq }: Message): void {
  const last = [...messages.values()].findLast((message) => message.seq < seq)
  const error = last?.parts.find((part) => part.type === 'error')
  if (error && last?.status === 'error') asking.teller.notice(failureWords(asking, error, last))
}

function tellCall(state: State, call: ToolCall): void {
  if (state.before.has(call.id)) return
  state.calls.set(call.id, call)
  state.asking.teller.step(call)
  state.typing.follow(call)
  state.children.follow(call)
}

function endOf({ asking, messages, calls, answers, spent }: State, state: SessionState): TurnEnd {
  const said = [...messages.values()].toSorted((a, b) => a.seq - b.seq)
  const last = said.at(-1)
  const failure = last?.parts.find((part) => part.type === 'error') ?? null
  return {
    text: last ? textOf(last) : '',
    status: statusOf(last, state),
    error: failure && { code: failure.code, message: failureWords(asking, failure, last) },
    answers,
    calls: [...calls.values()],
    blocked: [...calls.values()].some(({ envelope }) => envelope?.error_code === 'blocked_by_policy'),
    usage: usedBetween(spent.before, spent.now),
  }
}

function failureWords(
  { advice }: Asking,
  failure: Extract<Part, { type: 'error' }>,
  message: Message | undefined,
): string {
  return advice?.(failure, message?.model ?? null) ?? `${failure.message} ${failure.action}`.trim()
}

function statusOf(last: Message | undefined, state: SessionState): TurnEnd['status'] {
  if (state === 'interrupted') return 'interrupted'
  if (last?.status === 'error') return 'failed'
  return last?.status === 'stopped' ? 'stopped' : 'done'
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** A thousand millionth of a dollar: below it there is only what adding up fractions leaves. */
const NANO = 1e9

/** What a chat used meanwhile, with what works for it. */
export function usedBetween(before: Spent | null, now: Spent | null): TurnEnd['usage'] {
  const since = (key: 'inputTokens' | 'outputTokens' | 'costUsd' | 'unpriced' | 'estimated') =>
    Math.max(0, Math.round(((now?.[key] ?? 0) - (before?.[key] ?? 0)) * NANO) / NANO)
  return {
    inputTokens: since('inputTokens'),
    outputTokens: since('outputTokens'),
    costUsd: since('costUsd'),
    unpriced: since('unpriced'),
    estimated: since('estimated'),
  }
}
