import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { goTo } from '../stores/ui'
import { selfTest } from './self-test-strings'

/** The pages of the settings, in their order. */
export const SETTINGS_PAGES = [
  'Appearance',
  'Models',
  'Agents',
  'Tools',
  'Skills',
  'Approvals',
  'Sandbox and runs',
  selfTest.title,
  'Data',
  'Audit',
  'Enterprise',
] as const

const store = createStore<{ page: string }>(() => ({ page: 'Models' }))

/** The page that is in front; kept while another area is shown. */
export function useSettingsPage(): string {
  return useStore(store, (state) => state.page)
}

export function setSettingsPage(page: string): void {
  store.setState({ page })
}

/** Goes to a page from wherever the person is. */
export function showSettingsPage(page: string): void {
  setSettingsPage(page)
  goTo({ area: 'settings' })
}
