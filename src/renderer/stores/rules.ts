import type { RuleList } from '@shared/domain/rule'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api } from '../api'

interface RulesState {
  /** undefined until a page asked for it. */
  list: RuleList | undefined
}

const rulesStore = createStore<RulesState>(() => ({ list: undefined }))

export function useRules<T>(select: (state: RulesState) => T): T {
  return useStore(rulesStore, select)
}

export async function refreshRules(): Promise<void> {
  rulesStore.setState({ list: await api.call('rules.list', {}) })
}

/** Nothing is asked for while nobody looked at it. */
export async function rulesChanged(): Promise<void> {
  if (rulesStore.getState().list) await refreshRules()
}
