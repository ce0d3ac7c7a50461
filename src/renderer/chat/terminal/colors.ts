import type { ITheme } from '@xterm/xterm'

/** Colours of the page for a terminal, by the tokens' names. What would be hard to read on another is made readable by xterm. */
export const TERMINAL_TOKENS = {
  background: 'bg-sunken',
  foreground: 'text-1',
  cursor: 'text-1',
  cursorAccent: 'bg-sunken',
  selectionBackground: 'bg-selected',
  selectionInactiveBackground: 'bg-hover',
  scrollbarSliderBackground: 'line',
  scrollbarSliderHoverBackground: 'line-strong',
  scrollbarSliderActiveBackground: 'line-strong',
  black: 'text-1',
  red: 'risk-text',
  green: 'ok-text',
  yellow: 'attn-text',
  blue: 'syn-fn',
  magenta: 'syn-kw',
  cyan: 'accent',
  white: 'text-2',
  brightBlack: 'text-3',
  brightRed: 'risk-solid',
  brightGreen: 'syn-str',
  brightYellow: 'attn-solid',
  brightBlue: 'syn-fn',
  brightMagenta: 'scope-ent',
  brightCyan: 'accent',
  brightWhite: 'text-1',
} as const satisfies Partial<Record<keyof ITheme, string>>

/** WCAG AA, and AAA where the person asks for more contrast. */
const CONTRAST = { normal: 4.5, high: 7 }

/** What a terminal looks like under the theme of an element. */
export function terminalLook(root: HTMLElement): { theme: ITheme; minimumContrastRatio: number } {
  const style = getComputedStyle(root)
  const colors = Object.entries(TERMINAL_TOKENS).map(([name, token]) => [
    name,
    style.getPropertyValue(`--${token}`).trim(),
  ])
  const isHigh = root.dataset['theme']?.startsWith('hc-') === true
  return {
    theme: Object.fromEntries(colors),
    minimumContrastRatio: isHigh ? CONTRAST.high : CONTRAST.normal,
  }
}
