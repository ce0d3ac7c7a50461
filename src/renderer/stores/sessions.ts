import type { SessionSummary } from '@shared/domain/session'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api, messageOf } from '../api'
import { openFeed } from './chat-feed'
import type { ChatFeed } from './chat-feed'
import type { ChatState } from './chat-state'
import { onNextFrame } from './frame-queue'
import type { Schedule } from './frame-queue'

/** A message on its way: shown at once, replaced by the row when main has it. */
export interface Outgoing {
  /** Number of this page, rising. */
  n: number
  text: string
}

export interface SessionsState {
  /** null until the first answer. */
  list: SessionSummary[] | null
  /** The chat that is watched. */
  chatId: string | null
  chat: ChatState | undefined
  /** Why the chat can't be shown; empty when it can. */
  chatError: string
  outgoing: Record<string, Outgoing[]>
}

export const sessionsStore = createStore<SessionsState>(() => ({
  list: null,
  chatId: null,
  chat: undefined,
  chatError: '',
  outgoing: {},
}))

export function useSessions<T>(select: (state: SessionsState) => T): T {
  return useStore(sessionsStore, select)
}

/** Asks for the list again. */
export async function refreshSessions(): Promise<void> {
  sessionsStore.setState({ list: await api.call('sessions.list', {}) })
}

let feed: ChatFeed | undefined

/** Watches one chat and forgets the one before. null watches none. */
export function watchChat(sessionId: string | null, schedule: Schedule = onNextFrame): void {
  if (sessionId !== null && sessionId === sessionsStore.getState().chatId) return
  feed?.close()
  feed = undefined
  sessionsStore.setState({ chatId: sessionId, chat: undefined, chatError: '' })
  if (sessionId === null) return
  const on = {
    chat: (chat: ChatState) => sessionsStore.setState({ chat }),
    fail: (chatError: string) => sessionsStore.setState({ chatError }),
  }
  feed = openFeed(sessionId, on, schedule)
}

/** Fetches what lies before the part of the watched chat that is known. */
export function loadOlder(): void {
  feed?.older()
}

/** Tries again after `chatError`. */
export function rewatchChat(): void {
  const { chatId } = sessionsStore.getState()
  watchChat(null)
  watchChat(chatId)
}

/** Sends; the text is shown at once. Gives the error back so that the composer can keep the text. */
export async function sendMessage(sessionId: string, text: string): Promise<string | undefined> {
  const entry = { n: ++outgoingNumber, text }
  setOutgoing(sessionId, (list) => [...list, entry])
  try {
    await api.call('sessions.send', { sessionId, text })
    return undefined
  } catch (error) {
    return messageOf(error)
  } finally {
    setOutgoing(sessionId, (list) => list.filter((other) => other.n !== entry.n))
  }
}

let outgoingNumber = 0

function setOutgoing(sessionId: string, change: (list: Outgoing[]) => Outgoing[]): void {
  sessionsStore.setState((state) => ({
    outgoing: { ...state.outgoing, [sessionId]: change(state.outgoing[sessionId] ?? []) },
  }))
}
