import type { Message } from '@shared/domain/session'

/** What a message says, without its steps. */
export function textOf(message: Message): string {
  return message.parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .filter(Boolean)
    .join('\n\n')
}
