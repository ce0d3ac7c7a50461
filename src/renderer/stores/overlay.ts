import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** What may be open over the window by a key: the command palette, or the sheet of keys. */
export type Overlay = 'palette' | 'keys'

const store = createStore<{ open: Overlay | null }>(() => ({ open: null }))

export function useOverlay(): Overlay | null {
  return useStore(store, (state) => state.open)
}

export function openOverlay(open: Overlay): void {
  store.setState({ open })
}

export function closeOverlay(): void {
  store.setState({ open: null })
}
