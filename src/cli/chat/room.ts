import { CHOOSE_AT, OFFER_AT } from '@shared/context-fullness'
import type { Message, SessionDetail } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import type { App } from '../../main/app'
import { snapshotOf } from './open-chat'
import type { Teller } from './teller'

/** A chat whose older messages can be summarised. */
interface Chat {
  app: App
  teller: Pick<Teller, 'notice'>
  session: Pick<SessionDetail, 'id'>
}

/** The word of the app's message box; it goes to no model. */
export function isCompact(text: string): boolean {
  return text.trim() === '/compact'
}

/** Has older messages summarised (R20) and says what came of it. Throws what summarising throws. */
export async function compactChat({ app, teller, session }: Chat): Promise<void> {
  await app.handlers['sessions.compact']({ sessionId: session.id })
  const { messages } = await snapshotOf(app, session.id)
  teller.notice(messages.map(summaryWords).findLast((words) => words !== null) ?? 'Nothing was summarised.')
}

function summaryWords({ parts }: Message): string | null {
  const part = parts.find(({ type }) => type === 'compaction')
  if (part?.type !== 'compaction') return null
  return `Earlier messages were summarised. ${number(part.before)} → ${number(part.after)} tokens.`
}

/**
 * Where nobody is there to choose, near the limit of the model: before a message, older ones are summarised. What keeps
 * them from being summarised is told, and the message is sent all the same. Throws only when it was stopped.
 */
export async function makeRoom(chat: Chat, { context }: Room): Promise<void> {
  if (context.used < context.window * CHOOSE_AT) return
  chat.teller.notice(`${fullWords({ context })} Older messages are summarised first; they stay in the chat.`)
  try {
    await compactChat(chat)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled') throw error
    chat.teller.notice(error.message)
  }
}

/** How full a chat is. */
interface Room {
  context: Pick<SessionDetail['context'], 'used' | 'window'>
}

/** What a person should know of the room that is left; null while there is enough. */
export function roomNotice({ id, context }: Room & { id: string }): string | null {
  const { used, window } = context
  if (used < window * OFFER_AT) return null
  const next = `/compact summarises older messages (satchel chat --session ${id} -p /compact); they stay in the chat.`
  return `${fullWords({ context })} ${next}`
}

function fullWords({ context: { used, window } }: Room): string {
  return used > window
    ? `This model holds ${number(window)} tokens; this chat has ${number(used)}.`
    : `This chat fills ${Math.round((used / window) * 100)} % of what the model holds.`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
