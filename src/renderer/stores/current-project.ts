import { useSessions, type SessionsState } from './sessions'
import { useUi } from './ui'

/**
 * The chat of the Chats area: its project is the one that the window works in, whatever chat is watched beside it, as
 * that of a trial is. Undefined: it is not known yet, or there is none.
 */
export function chatOfWindow(
  chatId: string | null,
  { list, chat }: Pick<SessionsState, 'list' | 'chat'>,
): { projectDir: string | null; projectName: string | null } | undefined {
  return chat?.detail.id === chatId ? chat?.detail : list?.find(({ id }) => id === chatId)
}

/** The project that skills are seen from: that of the current chat, or none. */
export function useCurrentProjectDir(): string | null {
  const chatId = useUi((state) => state.chatId)
  return useSessions((state) => chatOfWindow(chatId, state)?.projectDir ?? null)
}

/** Its name; null: the window works in none. */
export function useCurrentProjectName(): string | null {
  const chatId = useUi((state) => state.chatId)
  return useSessions((state) => chatOfWindow(chatId, state)?.projectName ?? null)
}
