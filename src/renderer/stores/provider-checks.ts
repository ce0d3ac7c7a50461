import type { ProviderView } from '@shared/domain/settings'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { words } from './strings'

export interface ProviderCheck {
  ok: boolean
  message: string
}

/** How a provider stands, in a word with its tone. */
export interface ProviderWord {
  tone: 'ok' | 'warn' | 'bad' | 'off'
  word: string
}

interface ChecksState {
  /** The last answer of each provider, with what was asked: other settings are not checked by it. */
  byId: Record<string, { of: string; check: ProviderCheck }>
}

export const checksStore = createStore<ChecksState>(() => ({ byId: {} }))

/** Keeps what a check said until the window closes. */
export function noteCheck(provider: ProviderView, check: ProviderCheck): void {
  checksStore.setState((state) => ({
    byId: { ...state.byId, [provider.id]: { of: JSON.stringify(provider), check } },
  }))
}

/** The last check of this provider as it is set up now. */
export function useCheck(provider: ProviderView): ProviderCheck | undefined {
  return useStore(checksStore, (state) => findCheck(state, provider))
}

export function findCheck(state: ChecksState, provider: ProviderView): ProviderCheck | undefined {
  const last = state.byId[provider.id]
  return last?.of === JSON.stringify(provider) ? last.check : undefined
}

/** Ready is only what has answered; a key that is there says nothing about the server. */
export function providerWord(provider: ProviderView, check: ProviderCheck | undefined): ProviderWord {
  if (provider.state === 'key-missing') return { tone: 'warn', word: words.providerChecks.keyMissing }
  if (provider.state === 'key-unreadable') return { tone: 'bad', word: words.providerChecks.keyCantBeRead }
  if (provider.kind === 'practice' || check?.ok) return { tone: 'ok', word: words.providerChecks.ready }
  if (check) return { tone: 'bad', word: words.providerChecks.checkFailed }
  return {
    tone: 'off',
    word:
      provider.keySource === 'none' ? words.providerChecks.notChecked : words.providerChecks.keySetNotChecked,
  }
}
