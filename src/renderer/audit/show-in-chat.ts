import { contextOf } from '@shared/audit-words'
import type { AuditDetail } from '@shared/domain/audit'
import { goTo } from '../stores/ui'
import { announce } from '../ui/announce'
import { audit } from './strings'

/** Frames that are waited for the step to be drawn: a long chat takes a while. */
const MAX_FRAMES = 120

/** Goes to the chat of an entry, and to its step there. */
export function showInChat({ event, chat }: AuditDetail): void {
  if (chat) showStep(chat.id, contextOf(event).step)
}

/** Goes to a chat, and to a step of it. */
export function showStep(chatId: string, step: number | undefined): void {
  goTo({ area: 'chats', chatId })
  if (step !== undefined) focusStep(step, MAX_FRAMES)
}

function focusStep(step: number, frames: number): void {
  const found = document.querySelector<HTMLElement>(`[data-step="${step}"]`)
  if (found) {
    found.scrollIntoView({ block: 'center' })
    const target = found.matches('[tabindex]')
      ? found
      : found.querySelector<HTMLElement>('button, [tabindex]')
    target?.focus({ preventScroll: true })
  } else if (frames > 0) requestAnimationFrame(() => focusStep(step, frames - 1))
  else announce(audit.noStep)
}
