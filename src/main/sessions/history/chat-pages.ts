import type { ChatPage, ChatPlace, Message, ToolCall } from '@shared/domain/session'
import { weakMemo } from '../../lib/weak-memo'
import { leadsOf } from './page-leads'

/** Bytes of JSON of the rows of a page; with the chat's details a snapshot stays below 256 kB (`performance.md` G1.6). */
export const PAGE_BYTES = 200_000

/** The branch that is shown, in order. Messages in the queue are not part of any page. */
export interface ShownRows {
  messages: readonly Message[]
  calls: readonly ToolCall[]
}

export interface PageAsked {
  /** Null: the end of the chat. */
  before: ChatPlace | null
  /** A single row that is larger is a page of its own. */
  maxBytes: number
  /** Rows as they are shown now, which may be ahead of what is saved. */
  see: { message(row: Message): Message; call(row: ToolCall): ToolCall }
}

/** The rows before a place, as many of them as fit. */
export function pageOf(shown: ShownRows, asked: PageAsked): ChatPage {
  const { see, maxBytes } = asked
  const said = saidIn(shown.messages)
  const messages: Message[] = []
  const calls: ToolCall[] = []
  let bytes = 0
  let begin: ChatPlace | null = null
  const fits = (row: Message | ToolCall, place: ChatPlace): boolean => {
    bytes += Buffer.byteLength(JSON.stringify(row))
    if (begin !== null && bytes > maxBytes) return false
    begin = place
    return true
  }
  for (const row of rowsBefore({ said, calls: callsByMessage(shown.calls) }, asked.before)) {
    const call = row.call && see.call(row.call)
    const message = see.message(row.message)
    if (!fits(call ?? message, { seq: message.seq, step: call?.step ?? null })) {
      return inOrder({ messages, calls, older: olderThan(said, begin!) }, shown)
    }
    if (call) calls.push(call)
    else messages.push(message)
  }
  return inOrder({ messages, calls, older: null }, shown)
}

interface Row {
  message: Message
  /** One of its calls; left out: the message itself. */
  call?: ToolCall
}

/** The last one first. */
function* rowsBefore(
  { said, calls }: { said: readonly Message[]; calls: ReadonlyMap<string, readonly ToolCall[]> },
  before: ChatPlace | null,
): Iterable<Row> {
  for (let at = lastBefore(said, before); at >= 0; at -= 1) {
    const message = said[at]!
    const step = before?.seq === message.seq ? before.step : null
    const own = calls.get(message.id) ?? []
    for (const call of own.toReversed()) if (step === null || call.step < step) yield { message, call }
    yield { message }
  }
}

/** Index of the last message that is not wholly behind the place. */
function lastBefore(said: readonly Message[], before: ChatPlace | null): number {
  if (before === null) return said.length - 1
  const { seq, step } = before
  return said.findLastIndex((message) => (step === null ? message.seq < seq : message.seq <= seq))
}

function inOrder({ messages, calls, older }: ChatPage, shown: ShownRows): ChatPage {
  const leads = older === null ? [] : leadsOf(calls, shown.calls)
  return { messages: messages.toReversed(), calls: [...leads, ...calls.toReversed()], older }
}

function olderThan(said: readonly Message[], before: ChatPlace): ChatPage['older'] {
  const { seq, step } = before
  const at = said.findIndex((message) => (step === null ? message.seq >= seq : message.seq > seq))
  const { numbers, count } = turnsIn(said)
  // A summary has its place between turns.
  const next = at === -1 ? undefined : numbers.slice(at).find((number) => number !== null)
  return { before, turns: next ?? count }
}

const saidIn = weakMemo((messages: readonly Message[]) =>
  messages.filter(({ status }) => status !== 'queued'),
)

const callsByMessage = weakMemo((calls: readonly ToolCall[]) => {
  const byMessage = new Map<string, ToolCall[]>()
  for (const call of calls) {
    const own = byMessage.get(call.messageId)
    if (own) own.push(call)
    else byMessage.set(call.messageId, [call])
  }
  return byMessage
})

/** In which turn each message stands, from 0, as the page groups them: a turn begins with what a person says. */
const turnsIn = weakMemo((said: readonly Message[]) => {
  let count = 0
  const numbers = said.map(({ parts, role }) => {
    if (parts.some(({ type }) => type === 'compaction')) return null
    if (role === 'user' || count === 0) count += 1
    return count - 1
  })
  return { numbers, count }
})
