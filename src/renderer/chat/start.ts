import { api } from '../api'
import { refreshSessions, sessionsStore, watchChat } from '../stores/sessions'
import { settingsStore } from '../stores/settings'
import { keepPlace, replaceChat, uiStore } from '../stores/ui'
import { noteSuggested } from './composer/drafts'

/** Goes back to where the person was, and tells main of every move from then on. */
export function startPlace(): void {
  const place = settingsStore.getState().view?.place
  if (place) uiStore.setState(place)
  keepPlace((moved) => {
    api.call('window.setPlace', moved).catch(() => {
      // The next move is told again; until then the last place stands.
    })
  })
}

/**
 * Chooses the chat to show: the one of last time, otherwise the newest, otherwise a first one is made, so that the
 * message box is there at once. From then on the watched chat follows the window's place.
 */
export async function startChats(): Promise<void> {
  if ((sessionsStore.getState().list ?? []).length === 0) {
    const { id } = await api.call('sessions.create', { projectDir: null })
    noteSuggested(id)
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
