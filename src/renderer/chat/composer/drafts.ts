import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api } from '../../api'

/** A pause in typing after which a draft is saved. */
export const PAUSE_MS = 300

/** What is being written in each chat: this window's truth while it is open, in main after every pause. */
export function createDrafts(save: (sessionId: string, text: string) => Promise<unknown>) {
  const store = createStore<{ texts: Record<string, string> }>(() => ({ texts: {} }))
  /** Chats whose text main does not have yet, with the timer that will send it. */
  const unsaved = new Map<string, ReturnType<typeof setTimeout>>()
  return { store, write, clearShown, flush }

  function write(sessionId: string, text: string): void {
    store.setState((state) => ({ texts: { ...state.texts, [sessionId]: text } }))
    clearTimeout(unsaved.get(sessionId))
    unsaved.set(
      sessionId,
      setTimeout(() => flush(sessionId), PAUSE_MS),
    )
  }

  /** Empties the box while its text is on its way; main keeps the draft until the message is a row there. */
  function clearShown(sessionId: string): void {
    clearTimeout(unsaved.get(sessionId))
    unsaved.delete(sessionId)
    store.setState((state) => ({ texts: { ...state.texts, [sessionId]: '' } }))
  }

  /** Saves now what was not saved yet. A failure is tried again after the next pause. */
  function flush(sessionId: string): void {
    const timer = unsaved.get(sessionId)
    if (timer === undefined) return
    clearTimeout(timer)
    unsaved.delete(sessionId)
    const text = store.getState().texts[sessionId] ?? ''
    save(sessionId, text).catch(() => {
      if (!unsaved.has(sessionId)) write(sessionId, store.getState().texts[sessionId] ?? '')
    })
  }
}

/** The first chat of all starts with a text that nobody wrote: it is selected once, so that typing replaces it. */
let suggestedIn = ''

export function noteSuggested(sessionId: string): void {
  suggestedIn = sessionId
}

/** True once for the chat that was named. */
export function takeSuggested(sessionId: string): boolean {
  const taken = suggestedIn !== '' && suggestedIn === sessionId
  if (taken) suggestedIn = ''
  return taken
}

export const drafts = createDrafts((sessionId, text) => api.call('sessions.setDraft', { sessionId, text }))

/** The text of a chat's message box; `stored` is what main had when the chat was opened. */
export function useDraft(sessionId: string, stored: string): string {
  return useStore(drafts.store, (state) => state.texts[sessionId]) ?? stored
}
