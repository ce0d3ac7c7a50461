import type { Message, Part } from '@shared/domain/session'
import type { ChatState } from '../../stores/chat-state'

/** A person's message with everything that answers it: the unit that is drawn or left out while scrolling. */
export interface Turn {
  /** Id of its first message: stays the same while the chat grows. */
  id: string
  userId: string | null
  replyIds: string[]
  /** Of the first message. */
  at: number
}

/** What turns are made from. */
type Grouped = Pick<ChatState, 'order' | 'messages' | 'older'>

/**
 * Groups what is known of a chat by turns. Messages that still wait in the queue are not part of the transcript, and
 * neither are summaries whose place is not known yet.
 */
export function groupTurns(chat: Grouped, unfolded: ReadonlySet<string> = new Set()): Turn[] {
  const turns: Turn[] = []
  const summaries: Message[] = []
  for (const id of chat.order) {
    const message = chat.messages[id]
    if (!message || message.status === 'queued') continue
    const upTo = upToOf(message)
    if (upTo !== null) {
      if (isKnownAfter(chat, upTo)) summaries.push(message)
      continue
    }
    const last = turns.at(-1)
    if (message.role === 'user') turns.push({ id, userId: id, replyIds: [], at: message.createdAt })
    else if (last) last.replyIds.push(id)
    else turns.push({ id, userId: null, replyIds: [id], at: message.createdAt })
  }
  const endOf = ({ id, replyIds }: Turn) => {
    const last = chat.messages[replyIds.at(-1) ?? id]
    return last ? (upToOf(last) ?? last.seq) : 0
  }
  return summaries.reduce((all, message) => foldAt(all, { message, endOf, unfolded }), turns)
}

/** Turns that stand above what is known: those that are not fetched yet, unless a summary stands for all of them. */
export function turnsBefore(chat: Grouped, unfolded: ReadonlySet<string>): number {
  const isFolded = chat.order.some((id) => {
    const upTo = upToOf(chat.messages[id]!)
    return upTo !== null && !unfolded.has(id) && isKnownAfter(chat, upTo)
  })
  return chat.older === null || isFolded ? 0 : chat.older.turns
}

/** True when every message with a higher `seq` is known. */
function isKnownAfter({ older }: Grouped, seq: number): boolean {
  return older === null || older.before.seq <= seq + 1
}

/** Up to which message a summary of older messages stands for them; null for every other message. */
function upToOf({ parts }: Message): number | null {
  const part = parts.find(({ type }) => type === 'compaction')
  return part?.type === 'compaction' ? part.upTo : null
}

interface Fold {
  message: Message
  /** `seq` of the last message of a turn. */
  endOf(turn: Turn): number
  unfolded: ReadonlySet<string>
}

/** Puts a summary where it begins to stand for what is above it; that is folded until somebody asks for it. */
function foldAt(turns: readonly Turn[], { message, endOf, unfolded }: Fold): Turn[] {
  const upTo = upToOf(message) ?? 0
  const found = turns.findIndex((turn) => endOf(turn) > upTo)
  const at = found === -1 ? turns.length : found
  const rest = turns.slice(at)
  const rule = { id: message.id, userId: null, replyIds: [message.id], at: rest[0]?.at ?? message.createdAt }
  return [...(unfolded.has(message.id) ? turns.slice(0, at) : []), rule, ...rest]
}

const LINE = { height: 22, chars: 85 }
/** What a row has beside its lines, and a step of one line. */
const ROW_HEIGHT = 14
const STEP_HEIGHT = 32
const TALL = 4000

/** About how high a turn will be, in pixels, by how much it says: what is not drawn yet has this much room. */
export function estimateHeight({ messages }: Pick<Grouped, 'messages'>, { userId, replyIds }: Turn): number {
  const ids = userId === null ? replyIds : [userId, ...replyIds]
  const parts = ids.flatMap((id) => messages[id]?.parts ?? [])
  return Math.min(
    TALL,
    parts.reduce((sum, part) => sum + heightOf(part), 0),
  )
}

function heightOf(part: Part): number {
  if (part.type !== 'text') return STEP_HEIGHT
  return ROW_HEIGHT + Math.ceil(part.text.length / LINE.chars) * LINE.height
}

/** Keeps the objects of turns that did not change, so that only changed ones are drawn again. */
export function keepSame(before: readonly Turn[], next: readonly Turn[]): Turn[] {
  const known = new Map(before.map((turn) => [turn.id, turn]))
  return next.map((turn) => {
    const old = known.get(turn.id)
    return old?.userId === turn.userId && old.replyIds.join() === turn.replyIds.join() ? old : turn
  })
}

/** The day on which a turn begins, when it is another one than that of the turn before. */
export function startsNewDay(before: Turn | undefined, turn: Turn): boolean {
  return before !== undefined && new Date(before.at).toDateString() !== new Date(turn.at).toDateString()
}
