import type { SessionSummary } from '@shared/domain/session'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api, messageOf } from '../api'
import { applyEvents } from './chat-state'
import type { ChatState } from './chat-state'
import { createFrameQueue, onNextFrame } from './frame-queue'
import type { Schedule } from './frame-queue'

/** A message on its way: shown at once, replaced by the row when main has it. */
export interface Outgoing {
  /** Number of this page, rising. */
  n: number
  text: string
}

interface SessionsState {
  /** null until the first answer. */
  list: SessionSummary[] | null
  /** The chat that is watched. */
  chatId: string | null
  chat: ChatState | undefined
  /** Why the chat can't be shown; empty when it can. */
  chatError: string
  outgoing: Record<string, Outgoing[]>
}

/** Reopening that often in a row without a good event means that something is wrong: say so. */
const MAX_REOPENS = 5

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

let close: (() => void) | undefined

/** Watches one chat and forgets the one before. null watches none. */
export function watchChat(sessionId: string | null, schedule: Schedule = onNextFrame): void {
  if (sessionId !== null && sessionId === sessionsStore.getState().chatId) return
  close?.()
  close = undefined
  sessionsStore.setState({ chatId: sessionId, chat: undefined, chatError: '' })
  if (sessionId !== null) close = openWatch(sessionId, schedule)
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

/** Opens the stream of a chat and reopens it at every gap. Returns a function that ends it. */
function openWatch(sessionId: string, schedule: Schedule): () => void {
  let ended = false
  let reopens = 0
  let closeStream: (() => void) | undefined
  const open = () => {
    let current = true
    const queue = createFrameQueue<Parameters<typeof applyEvents>[1][number]>((events) => {
      if (!current || ended) return
      const { chat, gap } = applyEvents(sessionsStore.getState().chat, events)
      if (!gap) {
        reopens = 0
        sessionsStore.setState({ chat, chatError: '' })
        return
      }
      current = false
      closeStream?.()
      reopens += 1
      if (reopens < MAX_REOPENS) open()
      else sessionsStore.setState({ chatError: 'This chat could not be kept up to date. Open it again.' })
    }, schedule)
    closeStream = api.stream(
      'sessions.watch',
      { sessionId },
      {
        event: (event) => queue.add(event),
        end: (error) => {
          if (current && !ended && error) sessionsStore.setState({ chatError: messageOf(error) })
        },
      },
    )
  }
  open()
  return () => {
    ended = true
    closeStream?.()
  }
}
