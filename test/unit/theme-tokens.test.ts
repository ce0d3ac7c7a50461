import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Theme = Record<string, string>

const themes = readThemes(
  readFileSync(join(import.meta.dirname, '../../src/renderer/styles/tokens.css'), 'utf8'),
)
const THEMES = ['light', 'dark', 'hc-dark', 'hc-light']

/** Foreground, background and the least contrast it needs (`ux.md` 5.4). */
const PAIRS: [string, string, number][] = [
  ['text-1', 'bg-surface', 4.5],
  ['text-1', 'bg-chrome', 4.5],
  ['text-1', 'bg-selected', 4.5],
  ['text-2', 'bg-surface', 4.5],
  ['text-2', 'bg-chrome', 4.5],
  ['text-2', 'bg-hover', 4.5],
  ['text-3', 'bg-surface', 4.5],
  ['text-3', 'bg-chrome', 4.5],
  ['text-3', 'bg-raised', 4.5],
  ['text-3', 'bg-sunken', 4.5],
  ['text-3', 'bg-hover', 4.5],
  ['text-3', 'bg-selected', 4.5],
  ['text-on-solid', 'solid', 4.5],
  ['text-on-solid', 'solid-hover', 4.5],
  ['accent', 'bg-surface', 4.5],
  ['accent', 'bg-chrome', 4.5],
  ['accent', 'accent-weak', 4.5],
  ['attn-text', 'attn-bg', 4.5],
  ['attn-text', 'bg-surface', 4.5],
  ['attn-line', 'bg-surface', 3],
  ['attn-line', 'attn-bg', 3],
  ['risk-text', 'risk-bg', 4.5],
  ['risk-text', 'bg-surface', 4.5],
  ['risk-line', 'bg-surface', 3],
  ['risk-line', 'risk-bg', 3],
  ['text-on-solid', 'risk-solid', 4.5],
  ['ok-text', 'ok-bg', 4.5],
  ['ok-text', 'bg-surface', 4.5],
  ['ok-line', 'bg-surface', 3],
  ['line-strong', 'bg-surface', 3],
  ['line-strong', 'bg-raised', 3],
  ['line-strong', 'bg-chrome', 3],
  ['focus', 'bg-surface', 3],
  ['focus', 'bg-chrome', 3],
  ['focus', 'bg-selected', 3],
  ['scope-ent', 'bg-surface', 4.5],
  ['scope-proj', 'bg-surface', 4.5],
  ['scope-pers', 'bg-surface', 4.5],
  ['scope-plug', 'bg-surface', 4.5],
  ['scope-bund', 'bg-surface', 4.5],
  ['scope-ent', 'bg-chrome', 4.5],
  ['scope-pers', 'bg-chrome', 4.5],
  ['scope-plug', 'bg-chrome', 4.5],
  ['scope-bund', 'bg-chrome', 4.5],
  ['syn-kw', 'bg-sunken', 4.5],
  ['syn-str', 'bg-sunken', 4.5],
  ['syn-com', 'bg-sunken', 4.5],
  ['syn-fn', 'bg-sunken', 4.5],
  ['syn-num', 'bg-sunken', 4.5],
  ['syn-str', 'add-bg', 4.5],
  ['syn-com', 'add-bg', 4.5],
  ['syn-com', 'del-bg', 4.5],
  ['text-1', 'add-bg', 4.5],
  ['text-1', 'del-bg', 4.5],
  // Used by the page beyond the list of the design.
  ['text-1', 'bg-raised', 4.5],
  ['text-1', 'bg-sunken', 4.5],
  ['text-1', 'bg-hover', 4.5],
  ['text-2', 'bg-raised', 4.5],
  ['text-2', 'bg-sunken', 4.5],
  ['text-2', 'bg-selected', 4.5],
  ['attn-text', 'bg-selected', 4.5],
  ['attn-text', 'bg-raised', 4.5],
  ['attn-text', 'bg-sunken', 4.5],
  ['text-on-solid', 'attn-solid', 4.5],
  ['risk-text', 'bg-sunken', 4.5],
  ['ok-text', 'bg-sunken', 4.5],
  ['ok-text', 'bg-chrome', 4.5],
  ['accent', 'bg-raised', 4.5],
  ['focus', 'bg-raised', 3],
]

test('there are four themes with the same tokens', () => {
  expect(Object.keys(themes)).toEqual(THEMES)
  const names = Object.values(themes).map((theme) => Object.keys(theme).sort())
  for (const other of names) expect(other).toEqual(names[0])
})

test.each(PAIRS)('%s on %s is readable in every theme', (fg, bg, need) => {
  const ratios = THEMES.map((name) => contrast(themes[name]?.[fg] ?? '', themes[name]?.[bg] ?? ''))
  expect(Math.min(...ratios)).toBeGreaterThanOrEqual(need)
})

test('contrast is computed as WCAG does', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

function readThemes(text: string): Record<string, Theme> {
  const blocks = [...text.matchAll(/\[data-theme='([\w-]+)'\] \{([^}]*)\}/g)]
  return Object.fromEntries(
    blocks.map(([, name, body]) => [
      name,
      Object.fromEntries(
        [...(body ?? '').matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, token, value]) => [token, value]),
      ),
    ]),
  )
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}
