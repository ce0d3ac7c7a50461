import { api } from '../api'
import { refreshSessions, sessionsStore, watchChat } from '../stores/sessions'
import { replaceChat, uiStore } from '../stores/ui'

/**
 * Chooses the chat to show: the one of last time, otherwise the newest, otherwise a first one is made, so that the
 * message box is there at once. From then on the watched chat follows the window's place.
 */
export async function startChats(): Promise<void> {
  if ((sessionsStore.getState().list ?? []).length === 0) {
    await api.call('sessions.create', { projectDir: null })
    await refreshSessions()
  }
  const list = sessionsStore.getState().list ?? []
  const { chatId } = uiStore.getState()
  const newest = list.toSorted((a, b) => b.updatedAt - a.updatedAt)[0]?.id ?? null
  replaceChat(list.some((session) => session.id === chatId) ? chatId : newest)
  watchChat(uiStore.getState().chatId)
  uiStore.subscribe((state, before) => {
    if (state.chatId !== before.chatId) watchChat(state.chatId)
  })
}
