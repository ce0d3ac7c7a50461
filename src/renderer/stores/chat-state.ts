import type {
  ChatPage,
  Message,
  OlderRows,
  Part,
  SessionDetail,
  SessionEvent,
  ToolCall,
} from '@shared/domain/session'

/** One chat as the page knows it: what main said, by id. */
export interface ChatState {
  /** Number of the last applied event. */
  seq: number
  detail: SessionDetail
  messages: Record<string, Message>
  /** Ids in the chat's order. */
  order: string[]
  calls: Record<string, ToolCall>
  /** What lies before all of this and was not fetched yet; null: nothing. */
  older: OlderRows | null
  /** The provider is asked again; gone as soon as something of that message arrives. */
  retry?: RetryEvent | undefined
}

export interface Applied {
  chat: ChatState | undefined
  /** An event is missing or does not fit: drop everything and open the stream again. */
  gap: boolean
}

type Delta = Extract<SessionEvent, { t: 'delta' }>
export type RetryEvent = Extract<SessionEvent, { t: 'retry' }>

/**
 * Applies a batch of events in order. A snapshot replaces everything and may carry any number; every other event
 * must follow the one before it by one. One that the snapshot already holds is passed over. Objects that did not change keep their identity, so that only the rows
 * that changed are drawn again.
 */
export function applyEvents(chat: ChatState | undefined, events: readonly SessionEvent[]): Applied {
  let draft = chat
  let owned = false
  for (const event of events) {
    if (event.t === 'snapshot') {
      draft = fromSnapshot(event)
      owned = true
      continue
    }
    if (draft && event.seq <= draft.seq) continue
    if (!draft || event.seq !== draft.seq + 1) return { chat, gap: true }
    if (!owned) {
      draft = { ...draft, messages: { ...draft.messages }, calls: { ...draft.calls } }
      owned = true
    }
    if (!applyOne(draft, event)) return { chat, gap: true }
    draft.seq = event.seq
  }
  return { chat: draft, gap: false }
}

/** Adds the page that lies before what is known. Rows that are known stay: events may have changed them since. */
export function addOlder(chat: ChatState, page: ChatPage): ChatState {
  const messages = { ...byId(page.messages), ...chat.messages }
  const calls = { ...byId(page.calls), ...chat.calls }
  return { ...chat, messages, calls, order: sortIds(messages), older: page.older }
}

/** True when a chat is known as far back as another time. */
export function reachesBack(chat: Pick<ChatState, 'older'>, other: Pick<ChatState, 'older'>): boolean {
  if (chat.older === null) return true
  if (other.older === null) return false
  const [place, wanted] = [chat.older.before, other.older.before]
  return place.seq < wanted.seq || (place.seq === wanted.seq && (place.step ?? 0) <= (wanted.step ?? 0))
}

/** True for a message that is not fetched yet. One that waits in the queue is always known. */
function isBefore({ older }: ChatState, { seq, status }: Message): boolean {
  if (older === null || status === 'queued') return false
  const { before } = older
  return before.step === null ? seq < before.seq : seq <= before.seq
}

/** Ids of messages that wait for their turn, in order. */
export function queuedIds(chat: ChatState): string[] {
  return chat.order.filter((id) => chat.messages[id]?.status === 'queued')
}

function fromSnapshot(event: Extract<SessionEvent, { t: 'snapshot' }>): ChatState {
  const messages = byId(event.messages)
  return {
    seq: event.seq,
    detail: event.session,
    messages,
    order: sortIds(messages),
    calls: byId(event.calls),
    older: event.older,
  }
}

/** Changes `chat` in place; the caller owns it. False when the event does not fit. */
function applyOne(chat: ChatState, event: Exclude<SessionEvent, { t: 'snapshot' }>): boolean {
  switch (event.t) {
    case 'session':
      chat.detail = event.session
      return true
    case 'call':
      chat.calls[event.call.id] = event.call
      return true
    case 'retry':
      chat.retry = event
      return true
    case 'message': {
      // It comes with its page.
      if (isBefore(chat, event.message)) return true
      endRetry(chat, event.message.id)
      const before = chat.messages[event.message.id]
      chat.messages[event.message.id] = event.message
      if (before?.seq !== event.message.seq) chat.order = sortIds(chat.messages)
      return true
    }
    case 'delta':
      return applyDelta(chat, event)
    default:
      return false
  }
}

function applyDelta(chat: ChatState, delta: Delta): boolean {
  const message = chat.messages[delta.messageId]
  if (!message && chat.older !== null) return true
  if (!message || delta.partIndex > message.parts.length) return false
  const part = message.parts[delta.partIndex]
  if (part && part.type !== delta.kind) return false
  endRetry(chat, message.id)
  const grown: Part = { type: delta.kind, text: (part ? part.text : '') + delta.text }
  const parts = message.parts.slice()
  parts[delta.partIndex] = grown
  chat.messages[message.id] = { ...message, parts }
  return true
}

function endRetry(chat: ChatState, messageId: string): void {
  if (chat.retry?.messageId === messageId) chat.retry = undefined
}

function byId<Row extends { id: string }>(rows: readonly Row[]): Record<string, Row> {
  return Object.fromEntries(rows.map((row) => [row.id, row]))
}

function sortIds(messages: Record<string, Message>): string[] {
  return Object.values(messages)
    .toSorted((a, b) => a.seq - b.seq)
    .map((message) => message.id)
}
