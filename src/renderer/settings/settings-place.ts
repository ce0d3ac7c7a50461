import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { goTo } from '../stores/ui'

/** The pages of the settings, in their order. */
export const SETTINGS_PAGES = [
  'appearance',
  'models',
  'agents',
  'tools',
  'skills',
  'approvals',
  'runs',
  'self-test',
  'data',
  'audit',
  'enterprise',
] as const

export type SettingsPage = (typeof SETTINGS_PAGES)[number]

const store = createStore<{ page: SettingsPage }>(() => ({ page: 'models' }))

/** The page that is in front; kept while another area is shown. */
export function useSettingsPage(): SettingsPage {
  return useStore(store, (state) => state.page)
}

export function setSettingsPage(page: SettingsPage): void {
  store.setState({ page })
}

/** Goes to a page from wherever the person is. */
export function showSettingsPage(page: SettingsPage): void {
  setSettingsPage(page)
  goTo({ area: 'settings' })
}
