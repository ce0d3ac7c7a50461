import type { Settings } from '@shared/domain/settings'
import { settingsStore } from '../stores/settings'

export type ThemeName = 'light' | 'dark' | 'hc-light' | 'hc-dark'

/** What the system asks for. */
export interface SystemLook {
  dark: boolean
  moreContrast: boolean
}

/** The colours to draw for a setting. */
export function resolveTheme(setting: Settings['theme'], system: SystemLook): ThemeName {
  if (setting !== 'system') return setting
  const base = system.dark ? 'dark' : 'light'
  return system.moreContrast ? `hc-${base}` : base
}

/** Keeps `data-theme` of the document equal to the setting and the system. */
export function followTheme(root: HTMLElement): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const contrast = matchMedia('(prefers-contrast: more)')
  const apply = () => {
    const setting = settingsStore.getState().view?.settings.theme ?? 'system'
    root.dataset['theme'] = resolveTheme(setting, { dark: dark.matches, moreContrast: contrast.matches })
  }
  dark.addEventListener('change', apply)
  contrast.addEventListener('change', apply)
  settingsStore.subscribe(apply)
  apply()
}
