import type { Part } from '@shared/domain/session'
import { updateMessage, type MessageRow } from '../db/message-rows'
import type { SessionDeps } from './deps'

/** Milliseconds between two pieces sent to the page, and between two saves (`architecture.md` 2.9). */
const SEND_EVERY = 33
const SAVE_EVERY = 250

/** An answer while it arrives: sent to the page in pieces, saved now and then, never lost for more than 250 ms. */
export interface Draft {
  add(kind: 'text' | 'reasoning', text: string): void
  /** Sends and saves what is left; the message as it stands. */
  flush(): MessageRow
}

export function createDraft(deps: SessionDeps, message: MessageRow): Draft {
  const state = { message, unsent: '', savedAt: deps.now(), timer: undefined as NodeJS.Timeout | undefined }
  const send = () => {
    clearTimeout(state.timer)
    state.timer = undefined
    if (state.unsent !== '') {
      const partIndex = state.message.parts.length - 1
      const kind = state.message.parts[partIndex]?.type === 'reasoning' ? 'reasoning' : 'text'
      const delta = { messageId: message.id, partIndex, kind, text: state.unsent } as const
      state.unsent = ''
      deps.live.emit(message.sessionId, { t: 'delta', ...delta })
    }
    if (deps.now() - state.savedAt < SAVE_EVERY) return
    state.savedAt = deps.now()
    save(deps, state.message)
  }
  return {
    add(kind, text) {
      if (text === '') return
      const last = state.message.parts.at(-1)
      if (last?.type !== kind) send()
      state.message = { ...state.message, parts: append(state.message.parts, kind, text) }
      state.unsent += text
      state.timer ??= setTimeout(send, SEND_EVERY)
    },
    flush() {
      send()
      return state.message
    },
  }
}

/** A full disk must not break the stream off: what arrived stays in memory, and saving its end tells the failure. */
function save(deps: SessionDeps, message: MessageRow): void {
  try {
    deps.db.tx(() => updateMessage(deps.db.sql, message))
  } catch (error) {
    deps.log.warn('a part of an answer could not be saved yet', { reason: String(error) })
  }
}

function append(parts: readonly Part[], kind: 'text' | 'reasoning', text: string): Part[] {
  const last = parts.at(-1)
  if (last?.type === kind) return [...parts.slice(0, -1), { type: kind, text: last.text + text }]
  return [...parts, { type: kind, text }]
}
