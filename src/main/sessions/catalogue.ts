import { cutText } from '../lib/well-formed'

/** One line of the catalogue before it is shortened. */
export interface CatalogueEntry {
  name: string
  description: string
}

export interface CatalogueLimits {
  /** At most this many entries. */
  maxEntries: number
  /** At most this many tokens (estimated). */
  maxTokens: number
}

export interface Catalogue {
  /** The `<available_skills>` block; empty when there are no skills. */
  text: string
  entries: number
  omitted: number
  tokens: number
}

/**
 * The `<available_skills>` block (`runtime.md` 1): sorted by name, escaped, at most 50 entries and 2 % of the window.
 * Descriptions shrink evenly before an entry is left out; what is left out is counted, never silent. When entries
 * must be chosen, those that share words with the last messages of the person come first.
 */
export function composeCatalogue(
  all: readonly CatalogueEntry[],
  limits: CatalogueLimits,
  lastMessages: readonly string[],
): Catalogue {
  if (all.length === 0) return { text: '', entries: 0, omitted: 0, tokens: 0 }
  const ranked = rank(all, lastMessages)
  let chosen = choose(ranked, limits.maxEntries)
  for (;;) {
    for (const shorten of SHORTENERS) {
      const text = block(chosen, shorten, all.length - chosen.length)
      const tokens = estimateTokens(text)
      if (tokens <= limits.maxTokens || (shorten === dropped && chosen.length <= 1)) {
        return { text, entries: chosen.length, omitted: all.length - chosen.length, tokens }
      }
    }
    chosen = choose(ranked, Math.floor(chosen.length * 0.9))
  }
}

/** Characters / 4, the estimate used wherever no provider has counted yet. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/** Text that can neither close a tag nor hide: white space collapsed, control and invisible characters removed. */
export function escapeLine(text: string): string {
  return escapeXml(text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim())
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
// Control characters but tab and line ends; format characters (zero-width, bidi, tags); variation selectors.
const INVISIBLE = /(?![\t\n\r])\p{Cc}|\p{Cf}|\p{Variation_Selector}/gu

const full = (text: string) => text
const firstSentence = (text: string) => /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
const sixty = (text: string) => (text.length > 60 ? `${cutText(text, 59)}…` : text)
const dropped = () => ''
const SHORTENERS: readonly ((text: string) => string)[] = [
  full,
  firstSentence,
  (t) => sixty(firstSentence(t)),
  dropped,
]

function block(
  entries: readonly CatalogueEntry[],
  shorten: (text: string) => string,
  omitted: number,
): string {
  const lines = entries.map(({ name, description }) => {
    const text = shorten(description.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim())
    return `<skill><name>${escapeLine(name)}</name><description>${escapeXml(text)}</description></skill>`
  })
  if (omitted > 0) lines.push(`(+${omitted} more, not shown here)`)
  return ['<available_skills>', ...lines, '</available_skills>'].join('\n')
}

const byName = (a: CatalogueEntry, b: CatalogueEntry) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** Best match with the last messages first. */
function rank(all: readonly CatalogueEntry[], lastMessages: readonly string[]): CatalogueEntry[] {
  const wanted = words(lastMessages.join(' '))
  const scored = all.map((entry) => {
    const own = words(`${entry.name} ${entry.description}`)
    return { entry, score: [...own].filter((word) => wanted.has(word)).length }
  })
  scored.sort((a, b) => b.score - a.score || byName(a.entry, b.entry))
  return scored.map(({ entry }) => entry)
}

function choose(ranked: readonly CatalogueEntry[], max: number): CatalogueEntry[] {
  return ranked.slice(0, Math.max(1, max)).sort(byName)
}

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))
}
