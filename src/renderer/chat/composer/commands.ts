import type { SessionDetail } from '@shared/domain/session'
import { foldText } from '@shared/fold-text'
import { compactChat } from '../transcript/compaction'
import type { NameAtCaret } from './completion'
import { chat } from '../strings'

/** What a person can have done by a message that is nothing but `/name`. It goes before a skill of that name. */
export interface ChatCommand {
  command: string
  about: string
  run(detail: Pick<SessionDetail, 'id'>): void
}

const COMMANDS: readonly ChatCommand[] = [
  { command: 'compact', about: chat.aboutCompact, run: ({ id }) => void compactChat(id) },
]

/** Commands that begin with the word behind `/`. */
export function commandsFor({ sign, word }: NameAtCaret): readonly ChatCommand[] {
  const wanted = foldText(word)
  return sign === '/' ? COMMANDS.filter(({ command }) => command.startsWith(wanted)) : []
}

/** The command that a message is, or null. */
export function commandIn(message: string): ChatCommand | null {
  return COMMANDS.find(({ command }) => message.trim() === `/${command}`) ?? null
}
