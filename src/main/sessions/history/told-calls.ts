import type { CallRow } from '../../db/call-rows'
import type { MessageRow } from '../../db/message-rows'
import { commonStart } from '../../lib/list-memo'

/** A message with the calls that are told with it. The same object for as long as both stay what they are. */
export interface Said {
  message: MessageRow
  calls: readonly CallRow[]
}

interface Known {
  messages: readonly MessageRow[]
  calls: readonly CallRow[]
  /** Calls by the message that made them. Belongs to the latest question alone: it is changed in place. */
  byMessage: Map<string, readonly CallRow[]>
  said: readonly Said[]
  /** Before each message: what came to nothing and is not told yet. */
  untold: readonly (readonly CallRow[])[]
}

const NONE: readonly CallRow[] = []
/** By the first message of a chat. */
const known = new WeakMap<MessageRow, Known>()

/**
 * The messages of a chat with what is told with each: its own calls, and with a person's words also what they did
 * themselves before and what came to nothing. A chat grows at its end: what was put together before is gone on with.
 */
export function withTold(messages: readonly MessageRow[], calls: readonly CallRow[]): readonly Said[] {
  const [first] = messages
  if (!first) return []
  const last = known.get(first) ?? { messages: [], calls: [], byMessage: new Map(), said: [], untold: [] }
  const from = regroup(last, messages, calls)
  const isSame = from === messages.length && from === last.messages.length
  const now = isSame ? { ...last, calls } : { ...goOn(last, messages, from), calls }
  known.set(first, now)
  return now.said
}

/** Brings `byMessage` up to date; returns the first message that may be told otherwise than before. */
function regroup(last: Known, messages: readonly MessageRow[], calls: readonly CallRow[]): number {
  const { byMessage } = last
  const same = commonStart(last.messages, messages)
  const sameCalls = commonStart(last.calls, calls)
  const gone = new Set(last.calls.slice(sameCalls))
  const more = calls.slice(sameCalls)
  const touched = new Set([...gone, ...more].map(({ messageId }) => messageId))
  if (gone.size > 0) {
    for (const id of touched)
      byMessage.set(
        id,
        (byMessage.get(id) ?? []).filter((call) => !gone.has(call)),
      )
  }
  for (const call of more) byMessage.set(call.messageId, [...(byMessage.get(call.messageId) ?? []), call])
  for (const { id } of messages.slice(same)) touched.delete(id)
  let from = same
  for (let at = same - 1; at >= 0 && touched.size > 0; at -= 1)
    if (touched.delete(messages[at]!.id)) from = at
  return from
}

function goOn(
  { byMessage, said: before, untold: untoldBefore }: Known,
  messages: readonly MessageRow[],
  from: number,
): Omit<Known, 'calls'> {
  const said = before.slice(0, from)
  const untold = untoldBefore.slice(0, from)
  let open = untoldBefore[from] ?? NONE
  for (const message of messages.slice(from)) {
    untold.push(open)
    const own = byMessage.get(message.id) ?? NONE
    const tells = message.role === 'user' && message.status !== 'queued'
    said.push({ message, calls: tells ? [...open, ...own] : own })
    if (tells) open = NONE
    else if (message.role === 'note') open = [...open, ...own.filter(isUntold)]
  }
  // What the message behind the last one would find.
  untold.push(open)
  return { messages, byMessage, said, untold }
}

function isUntold({ envelope }: CallRow): boolean {
  return envelope?.success === false
}
