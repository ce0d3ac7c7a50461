/** A shortcut as written in code: `Mod+Shift+A`, `Mod+Enter`, `Alt+ArrowLeft`. Mod is ⌘ on macOS, Ctrl elsewhere. */
export type Shortcut = string

const MAC_NAMES: Record<string, string> = {
  Mod: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Ctrl: '⌃',
  Enter: '↵',
  Backspace: '⌫',
  Escape: 'esc',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
}
const OTHER_NAMES: Record<string, string> = {
  ...MAC_NAMES,
  Mod: 'Ctrl',
  Shift: 'Shift',
  Alt: 'Alt',
  Ctrl: 'Ctrl',
}
const SPOKEN: Record<string, string> = {
  '⌘': 'Command',
  '⇧': 'Shift',
  '⌥': 'Option',
  '⌃': 'Control',
  '↵': 'Enter',
}

/** What the four modifiers and the key of an event say. */
export interface KeyPress {
  key: string
  code?: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

export function isMac(platform = globalThis.navigator?.platform ?? ''): boolean {
  return platform.startsWith('Mac')
}

/** For the eye: `⌘⇧A` on macOS, `Ctrl+Shift+A` elsewhere. */
export function shortcutLabel(shortcut: Shortcut, mac = isMac()): string {
  const names = mac ? MAC_NAMES : OTHER_NAMES
  const parts = shortcut.split('+').map((part) => names[part] ?? part)
  return parts.join(mac ? '' : '+')
}

/** For screen readers: `Command Shift A`. */
export function shortcutSpoken(shortcut: Shortcut, mac = isMac()): string {
  const names = mac ? MAC_NAMES : OTHER_NAMES
  return shortcut
    .split('+')
    .map((part) => names[part] ?? part)
    .map((part) => SPOKEN[part] ?? (part === 'Ctrl' ? 'Control' : part))
    .join(' ')
}

/** True when no modifier is held. */
export function isBare(event: Omit<KeyPress, 'key'>): boolean {
  return !event.shiftKey && !event.altKey && !event.metaKey && !event.ctrlKey
}

/** True when the pressed key is the shortcut, with no modifier more or less. */
export function matches(event: KeyPress, shortcut: Shortcut, mac = isMac()): boolean {
  const parts = shortcut.split('+')
  const key = parts.at(-1) ?? ''
  const wants = (name: string) => parts.slice(0, -1).includes(name)
  const meta = mac && wants('Mod')
  const ctrl = wants('Ctrl') || (!mac && wants('Mod'))
  if (event.metaKey !== meta || event.ctrlKey !== ctrl) return false
  if (event.shiftKey !== wants('Shift') || event.altKey !== wants('Alt')) return false
  return event.key.toLowerCase() === key.toLowerCase() || sameLetter(event.code, key)
}

/** With Alt on macOS and on other layouts `key` is another character; the place of the key decides then. */
function sameLetter(code: string | undefined, key: string): boolean {
  if (code === undefined) return false
  return code === `Key${key.toUpperCase()}` || code === `Digit${key}`
}
