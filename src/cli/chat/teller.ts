import type { RequestDetail } from '@shared/domain/approval'
import type { Message, SessionDetail, ToolCall } from '@shared/domain/session'

/** How a request ended that the command had to do with. */
export type Answer = 'allowed' | 'denied' | 'expired'

/** A chat that a step began, by the name of who works in it. */
export interface Child {
  session: string
  name: string
}

/** Tells what happens in a chat: to a person, or as one JSON object a line. */
export interface Teller {
  chat(session: SessionDetail): void
  notice(message: string): void
  /** A piece of an answer as it arrives. */
  text(kind: 'text' | 'reasoning', piece: string): void
  /** A step at each of its states; `of`: of a skill or an agent that works for the chat. */
  step(call: ToolCall, of?: Child): void
  request(request: RequestDetail, answer: Answer, why: string): void
  /** An answer has ended, however. */
  message(message: Message): void
}
