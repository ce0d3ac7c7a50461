import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { drawnOn, type Drawn, type DrawnText, type Rect } from './page-looks'

/** Fonts, sizes in pixels at 100 % text, weights and radii of ux.md 5.2 and 5.3; 12 to 18 are what chat text may be. */
const FONTS = ['Plex Sans', 'Plex Mono', 'Plex Serif']
const SIZES = [11, 12, 13, 14, 15, 17, 19, 26]
const WEIGHTS = ['400', '500', '600']
/** Those of ux.md 5.3; then bars, and what may be round (a switch, a count badge, a dot), as the mockups draw them. */
const RADII = ['0px', '4px', '6px', '8px', '10px', '2px', '9px', '50%']
/** Over what lies behind a dialog. */
const SCRIM = 'rgba(0, 0, 0, 0.42)'
const NONE = 'rgba(0, 0, 0, 0)'
/** Pixels that letters may reach over the line box or under its neighbour without being lost. */
const SLACK = 2

const THEMES = resolve(import.meta.dirname, '../../src/renderer/styles/tokens.css')
export const THEME_NAMES = ['light', 'dark', 'hc-light', 'hc-dark'] as const

/** What of the page is drawn with no token, cut or overlapping, as "where: what". Empty: nothing. */
export async function styleFaults(page: Page): Promise<string[]> {
  const theme = (await page.locator('html').getAttribute('data-theme')) ?? ''
  const drawn = await drawnOn(page)
  const tokens = tokensOf(theme)
  const faults = drawn.flatMap((one) =>
    [...offTokens(one, tokens), ...cut(one)].map((say) => `${one.where}: ${say}`),
  )
  return [...new Set([...faults, ...overlaps(drawn)])]
}

interface Tokens {
  colours: Set<string>
  shadows: string[]
}

function tokensOf(theme: string): Tokens {
  const css = readFileSync(THEMES, 'utf8')
  const block = css.slice(css.indexOf(`[data-theme='${theme}']`)).split('}')[0]!
  const hex = [...block.matchAll(/#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2});/g)]
  const rgb = hex.map(([, ...parts]) => `rgb(${parts.map((part) => Number.parseInt(part, 16)).join(', ')})`)
  const shadows = [...block.matchAll(/--shadow-\w+: (.+?)(rgba\(.+?\));/g)]
  return {
    colours: new Set([...rgb, NONE, SCRIM]),
    shadows: [
      'none',
      ...shadows.map(([, place, colour]) => `${colour} ${place!.trim().replace(/^0 /, '0px ')} 0px`),
    ],
  }
}

function offTokens({ colours, image, shadow, radii, text }: Drawn, tokens: Tokens): string[] {
  const faults = Object.entries(colours)
    .filter(([, value]) => value.startsWith('rgb') && !tokens.colours.has(value))
    .map(([name, value]) => `${name} ${value}`)
  if (/gradient/.test(image)) faults.push(image)
  // A line drawn inside marks a line of code; it is no elevation.
  const inside = shadow.endsWith(' 3px 0px 0px 0px inset') && tokens.colours.has(shadow.split(' 3px')[0]!)
  if (!inside && !tokens.shadows.includes(shadow)) faults.push(`shadow ${shadow}`)
  for (const radius of radii) if (!RADII.includes(radius)) faults.push(`radius ${radius}`)
  return text ? [...faults, ...offType(text)] : faults
}

function offType({ font, size, weight }: DrawnText): string[] {
  const [first] = font.split(',')
  const faults = FONTS.includes(first!.replaceAll('"', '')) ? [] : [`font ${font}`]
  if (!SIZES.includes(Number.parseFloat(size))) faults.push(`size ${size}`)
  return WEIGHTS.includes(weight) ? faults : [...faults, `weight ${weight}`]
}

function cut({ text }: Drawn): string[] {
  if (!text || text.marked) return []
  const { kept } = text
  const lost = text.lines.some(
    (line) =>
      line.left < kept.left - SLACK ||
      line.right > kept.right + SLACK ||
      middle(line) < kept.top ||
      middle(line) > kept.bottom,
  )
  return lost ? [`"${text.words}" is cut`] : []
}

function overlaps(drawn: readonly Drawn[]): string[] {
  const lines = drawn.flatMap(({ where, layer, text }, owner) =>
    (text?.lines ?? [])
      .map((line) => ({ where, layer, owner, words: text!.words, rect: both(line, text!.seen) }))
      .filter(({ rect }) => rect.right - rect.left > SLACK && rect.bottom - rect.top > SLACK),
  )
  return lines.flatMap((one, at) =>
    lines
      .slice(at + 1)
      .filter(
        (other) => other.owner !== one.owner && other.layer === one.layer && collide(one.rect, other.rect),
      )
      .map((other) => `${one.where}: "${one.words}" overlaps "${other.words}" of ${other.where}`),
  )
}

/** Whether more than the room above and below the letters is shared. */
function collide(one: Rect, other: Rect): boolean {
  const shared = both(one, other)
  const high = Math.min(one.bottom - one.top, other.bottom - other.top)
  return shared.right - shared.left > SLACK && shared.bottom - shared.top > high / 3
}

function both(one: Rect, other: Rect): Rect {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  }
}

function middle({ top, bottom }: Rect): number {
  return (top + bottom) / 2
}
