import type { Settings, SettingsView } from '@shared/domain/settings'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { visibleLine } from '@shared/visible-text'
import { api } from '../api'
import { words } from './strings'

interface SettingsState {
  /** undefined until the first answer. */
  view: SettingsView | undefined
}

export const settingsStore = createStore<SettingsState>(() => ({ view: undefined }))

export function useSettings<T>(select: (state: SettingsState) => T): T {
  return useStore(settingsStore, select)
}

export async function refreshSettings(): Promise<void> {
  settingsStore.setState({ view: await api.call('settings.get', {}) })
}

/** Changes settings; the answer is what main holds now. Rejects with an AppError. */
export async function saveSettings(change: Partial<Settings>): Promise<void> {
  settingsStore.setState({ view: await api.call('settings.set', change) })
}

/** Who manages Enterprise skills here. */
export function useOrganisation(): string {
  return useSettings((state) =>
    visibleLine(state.view?.policy.organisation ?? words.settings.yourOrganisation),
  )
}
