import type { ChatState } from '../stores/chat-state'

/** A person's message with everything that answers it: the unit that is drawn or left out while scrolling. */
export interface Turn {
  /** Id of its first message: stays the same while the chat grows. */
  id: string
  userId: string | null
  replyIds: string[]
  /** Of the first message. */
  at: number
}

/** Groups a chat by turns. Messages that still wait in the queue are not part of the transcript. */
export function groupTurns(chat: Pick<ChatState, 'order' | 'messages'>): Turn[] {
  const turns: Turn[] = []
  for (const id of chat.order) {
    const message = chat.messages[id]
    if (!message || message.status === 'queued') continue
    const last = turns.at(-1)
    if (message.role === 'user') turns.push({ id, userId: id, replyIds: [], at: message.createdAt })
    else if (last) last.replyIds.push(id)
    else turns.push({ id, userId: null, replyIds: [id], at: message.createdAt })
  }
  return turns
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
