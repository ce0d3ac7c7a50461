import type { CallContext, ModelCall } from '@shared/domain/context'
import type { SessionDetail } from '@shared/domain/session'
import { useEffect, useState } from 'react'
import { api, messageOf } from '../../api'

export interface Loaded<T> {
  value: T | null
  /** Why it can't be shown; else empty. */
  error: string
}

/** Asks again when something that it depends on changed; what was shown stays until the answer comes. */
function useAsked<T>(ask: () => Promise<T>, on: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: null, error: '' })
  useEffect(() => {
    let isOver = false
    const set = (next: Loaded<T>) => !isOver && setLoaded(next)
    ask().then(
      (value) => set({ value, error: '' }),
      (error: unknown) => set({ value: null, error: messageOf(error) }),
    )
    return () => {
      isOver = true
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `ask` is made anew at every look; `on` says what it depends on
  }, on)
  return loaded
}

/** The calls of a chat. */
export function useCalls({ id, modelCalls }: SessionDetail): Loaded<ModelCall[]> {
  return useAsked(() => api.call('context.list', { sessionId: id }), [id, modelCalls])
}

/** What a call was sent; null: what the next one would be, as far as the chat says that it changed. */
export function useCallContext(detail: SessionDetail, number: number | null): Loaded<CallContext> {
  const { id, modelCalls, model, state } = detail
  const next = number === null ? [detail.context.used, model, state, modelCalls].join(' ') : ''
  return useAsked(() => api.call('context.get', { sessionId: id, number }), [id, number, next])
}
