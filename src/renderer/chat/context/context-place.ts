import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { showsInspector, togglePane, uiStore } from '../../stores/ui'

/** What the details show in place of their own parts: what a model saw. */
interface Shown {
  /** The chat beside which it stands. */
  chatId: string
  /** The chat that was sent: the same, or one that a step of it began. */
  sessionId: string
  /** The call that brought this message; null: the next call. */
  messageId: string | null
  /** The part that is open. */
  open: 'catalogue' | null
}

const store = createStore<{ shown: Shown | null }>(() => ({ shown: null }))

export function useShownContext(chatId: string): Shown | null {
  return useStore(store, ({ shown }) => (shown?.chatId === chatId ? shown : null))
}

/** Shows what the model saw for a message, or sees next, beside the chat. */
export function showContext(shown: Shown): void {
  store.setState({ shown })
  if (!showsInspector(uiStore.getState())) togglePane('inspector')
}

export function closeContext(): void {
  store.setState({ shown: null })
}
