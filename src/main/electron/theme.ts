import type { NativeTheme } from 'electron'

export type ThemePreference = 'system' | 'light' | 'dark' | 'hc-light' | 'hc-dark'

/** `bg-surface` of each theme: the window has this colour before the page has painted. */
const SURFACE: Readonly<Record<Exclude<ThemePreference, 'system'>, string>> = {
  light: '#FAF9F6',
  dark: '#1A1B19',
  'hc-light': '#FFFFFF',
  'hc-dark': '#000000',
}

/** What native menus, dialogs and `prefers-color-scheme` follow. */
export function nativeThemeOf(preference: ThemePreference): 'system' | 'light' | 'dark' {
  if (preference === 'hc-light') return 'light'
  return preference === 'hc-dark' ? 'dark' : preference
}

/** Background of the window for a preference, given what the system wants. */
export function backgroundOf(
  preference: ThemePreference,
  system: Pick<NativeTheme, 'shouldUseDarkColors' | 'shouldUseHighContrastColors'>,
): string {
  if (preference !== 'system') return SURFACE[preference]
  const contrast = system.shouldUseHighContrastColors ? 'hc-' : ''
  return SURFACE[`${contrast}${system.shouldUseDarkColors ? 'dark' : 'light'}`]
}
