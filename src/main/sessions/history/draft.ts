import type { Part } from '@shared/domain/session'
import { publicMessage, updateMessage, type MessageRow } from '../../db/message-rows'
import { faultPoint } from '../../lib/fault-point'
import type { SessionDeps } from '../deps'

/** Milliseconds between two pieces sent to the page, and between two saves (`architecture.md` 2.9). */
const SEND_EVERY = 33
const SAVE_EVERY = 250

/** An answer while it arrives: sent to the page in pieces, saved now and then, never lost for more than 250 ms. */
export interface Draft {
  add(kind: 'text' | 'reasoning', text: string): void
  /** Sends what is left and ends the draft; gives the message as it stands, for the caller to save. */
  finish(): MessageRow
  /** Ends a draft that was not finished, and saves what arrived; does nothing after `finish`. */
  abandon(): void
}

export function createDraft(deps: SessionDeps, message: MessageRow): Draft {
  const state = {
    message,
    unsent: '',
    sender: undefined as NodeJS.Timeout | undefined,
    saver: undefined as NodeJS.Timeout | undefined,
    ended: false,
  }
  const saveNow = () => {
    clearTimeout(state.saver)
    state.saver = undefined
    save(deps, state.message)
  }
  const send = () => {
    clearTimeout(state.sender)
    state.sender = undefined
    if (state.unsent === '') return
    const partIndex = state.message.parts.length - 1
    const kind = state.message.parts[partIndex]?.type === 'reasoning' ? 'reasoning' : 'text'
    const delta = { messageId: message.id, partIndex, kind, text: state.unsent } as const
    state.unsent = ''
    deps.live.arriving.set(message.id, publicMessage(state.message))
    deps.live.emit(message.sessionId, { t: 'delta', ...delta })
    state.saver ??= setTimeout(saveNow, SAVE_EVERY)
  }
  const end = () => {
    send()
    clearTimeout(state.saver)
    state.ended = true
    deps.live.arriving.delete(message.id)
  }
  return {
    add(kind, text) {
      if (text === '') return
      const last = state.message.parts.at(-1)
      if (last?.type !== kind) send()
      state.message = { ...state.message, parts: append(state.message.parts, kind, text) }
      state.unsent += text
      state.sender ??= setTimeout(send, SEND_EVERY)
    },
    finish() {
      end()
      return state.message
    },
    abandon() {
      if (state.ended) return
      end()
      saveNow()
    },
  }
}

/** A full disk must not break the stream off: what arrived stays in memory, and saving its end tells the failure. */
function save(deps: SessionDeps, message: MessageRow): void {
  try {
    faultPoint('draft.before-save')
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
