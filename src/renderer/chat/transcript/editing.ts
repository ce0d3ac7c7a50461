import type { Message } from '@shared/domain/session'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api, messageOf } from '../../api'
import { isBusy } from '../../shell/actions'
import { sessionsStore } from '../../stores/sessions'
import type { ChatState } from '../../stores/chat-state'
import { textOf } from './message-text'

/** The message that is being edited, with its text so far: kept here because rows out of view are not in the page. */
interface Editing {
  messageId: string
  text: string
  error: string
}

const store = createStore<{ editing: Editing | null }>(() => ({ editing: null }))

export function useEditing(messageId: string): Editing | null {
  return useStore(store, ({ editing }) => (editing?.messageId === messageId ? editing : null))
}

/** Which message is being edited; null: none. */
export function useEditedId(): string | null {
  return useStore(store, ({ editing }) => editing?.messageId ?? null)
}

export function beginEdit(message: Message): void {
  store.setState({ editing: { messageId: message.id, text: textOf(message), error: '' } })
}

export function changeEdit(text: string): void {
  store.setState(({ editing }) => ({ editing: editing && { ...editing, text } }))
}

export function endEdit(): void {
  store.setState({ editing: null })
}

/** Sends the text in the place of the old one; when that fails, it stays with the reason. */
export async function sendEdit(sessionId: string): Promise<void> {
  const { editing } = store.getState()
  if (!editing || editing.text.trim() === '') return
  try {
    await api.call('sessions.edit', { sessionId, messageId: editing.messageId, text: editing.text.trim() })
    endEdit()
  } catch (error) {
    store.setState({ editing: { ...editing, error: messageOf(error) } })
  }
}

/** Begins to edit what the person said last; false when there is nothing to edit, or the agent is at work. */
export function editLast(): boolean {
  const { chat } = sessionsStore.getState()
  const message = chat && !isBusy(chat.detail.state) ? lastSaid(chat) : undefined
  if (message) beginEdit(message)
  return message !== undefined
}

/** The last message of the person that is part of the conversation. */
export function lastSaid(chat: Pick<ChatState, 'order' | 'messages'>): Message | undefined {
  const id = chat.order.findLast((other) => {
    const message = chat.messages[other]
    return message?.role === 'user' && message.status !== 'queued'
  })
  return id === undefined ? undefined : chat.messages[id]
}
