import { estimateTokens } from '@shared/tokens'
import type { Scope } from '@shared/domain/skill'
import { cutText } from '../../lib/well-formed'
import { escapeLine, plainLine } from './escape'
import { atOnce, type Steps } from '../turn/steps'

/** A skill that may be used here, before its line is written. */
export interface CatalogueEntry {
  name: string
  description: string
  /** What its style calls it by, where that is not its name. */
  id?: string | undefined
  scope?: Scope | undefined
  /** It comes with the project: from its folders, or a plugin that was installed for it. */
  inProject?: boolean
  /** The person chose this copy for the project. */
  pinned?: boolean
}

export interface CatalogueLimits {
  /** At most this many entries. */
  maxEntries: number
  /** At most this many tokens (estimated). */
  maxTokens: number
}

/** An entry as it is written: its description may be shortened, down to nothing. */
export type CatalogueLine = Pick<CatalogueEntry, 'name' | 'description' | 'id' | 'scope' | 'inProject'>

/** How a style writes the list down; `omitted` is the number of skills left out. */
export type CatalogueFormat = (lines: readonly CatalogueLine[], omitted: number) => string

export interface CatalogueOptions {
  /** Without one: `<available_skills>`. */
  format?: CatalogueFormat
  /** Names that are shown before all others when entries must be chosen. */
  alwaysOn?: ReadonlySet<string>
  /** Names used lately, last first. */
  recent?: readonly string[]
  /** How well entries fit the conversation, by place in the list; asked only when entries must be chosen. */
  relevance?: () => Float64Array
}

/** `fits`: nothing had to be chosen. `name`: nothing spoke for it but the order of names. */
export type WhyShown = 'fits' | 'always-on' | 'pinned' | 'recent' | 'relevant' | 'name'
/** More skills than entries; names alone over the tokens; a style that lists none. */
export type WhyOmitted = 'over-count' | 'over-budget' | 'style'
/** How much of the descriptions is written: all, the first sentence, 60 characters, nothing. */
export type Shortening = 'full' | 'sentence' | 'short' | 'none'

export interface Catalogue {
  /** As the model gets it; empty when there are no skills. */
  text: string
  entries: number
  omitted: number
  /** Tokens of the text, estimated. */
  tokens: number
  /** The same for every entry that is shown. */
  descriptions: Shortening
  /** What is in it and what not, by name, with the reason (G6). */
  shown: Weighed<WhyShown>[]
  /** The most wanted first. */
  left: Weighed<WhyOmitted>[]
}

interface Weighed<W> {
  name: string
  why: W
  /** Its relevance, where that was asked. */
  score?: number
}

/**
 * The list of skills that the model always sees (R3, `runtime.md` 1): sorted by name, escaped, within the limits. Over
 * the tokens all descriptions shrink alike; over the entries, or when names alone don't fit, entries are chosen: always
 * on, pinned, used lately, then by relevance, then by name. What is left out is counted in the text.
 */
export function composeCatalogue(
  all: readonly CatalogueEntry[],
  limits: CatalogueLimits,
  options: CatalogueOptions = {},
): Catalogue {
  return atOnce(catalogueInSteps(all, limits, options))
}

/** The same in steps, each of a few milliseconds with 10,000 skills: other work can be let in between (G2.9). */
export function* catalogueInSteps(
  all: readonly CatalogueEntry[],
  limits: CatalogueLimits,
  options: CatalogueOptions = {},
): Steps<Catalogue> {
  if (all.length === 0) return { ...NOTHING, shown: [], left: [] }
  const { maxEntries, maxTokens } = limits
  const most = Math.min(all.length, Math.max(1, maxEntries))
  const ranking: { all?: Ranking } = {}
  if (most < all.length) ranking.all = yield* rankInSteps(all, options)
  const ranked = (count: number): Ranking => {
    if (count === all.length) return { wanted: [], others: all, why: 'fits' }
    return (ranking.all ??= atOnce(rankInSteps(all, options)))
  }
  const format = options.format ?? availableSkills
  const write = (count: number, descriptions: Shortening) =>
    writeDown({ ...ranked(count), count, descriptions, most, format })
  for (const descriptions of SHORTENINGS) {
    yield
    const written = write(most, descriptions)
    if (written.tokens > maxTokens) continue
    yield
    return explained(written)
  }
  return explained(
    write(
      mostThatFit(most, (count) => write(count, 'none').tokens <= maxTokens),
      'none',
    ),
  )
}

/** A style that says one thing whatever skills there are. */
export function fixedCatalogue(all: readonly CatalogueEntry[], text: string): Catalogue {
  if (all.length === 0) return { ...NOTHING, shown: [], left: [] }
  const left = all.map(({ name }) => ({ name, why: 'style' as const }))
  return { ...NOTHING, text, omitted: all.length, tokens: estimateTokens(text), shown: [], left }
}

/** The `<available_skills>` block of `runtime.md` 1. */
export function availableSkills(lines: readonly CatalogueLine[], omitted: number): string {
  const written = lines.map(
    ({ name, description }) =>
      `<skill><name>${escapeLine(name)}</name><description>${escapeLine(description)}</description></skill>`,
  )
  return ['<available_skills>', ...written, ...moreLine(omitted), '</available_skills>'].join('\n')
}

/** Tells the model how many skills it does not see, and how to find them. */
export function moreLine(omitted: number, tool = 'skills_list'): string[] {
  return omitted > 0 ? [`(+${omitted} more; use ${tool})`] : []
}

const NOTHING = { text: '', entries: 0, omitted: 0, tokens: 0, descriptions: 'full' as const }
const SHORTENINGS: readonly Shortening[] = ['full', 'sentence', 'short', 'none']

interface Ranked {
  entry: CatalogueEntry
  why: WhyShown
  score?: number
}

/** All entries, the most wanted first: thousands, for nearly all of which nothing speaks but their names. */
interface Ranking {
  wanted: readonly Ranked[]
  others: readonly CatalogueEntry[]
  /** Of the others. */
  why: 'fits' | 'name'
}

interface Selection extends Ranking {
  /** So many are written. */
  count: number
  descriptions: Shortening
  /** Entries that the limit allows. */
  most: number
  format: CatalogueFormat
}

interface Written extends Selection {
  text: string
  tokens: number
  /** Those that are written, by name. */
  sorted: readonly Ranked[]
}

function writeDown(selection: Selection): Written {
  const { wanted, others, why, count, descriptions, format } = selection
  const more = others.slice(0, Math.max(0, count - wanted.length)).map((entry): Ranked => ({ entry, why }))
  const ranked = [...wanted.slice(0, count), ...more]
  const sorted = ranked.slice(0, count).sort((a, b) => byName(a.entry, b.entry))
  const lines = sorted.map(({ entry }) => ({
    ...entry,
    description: shorten(entry.description, descriptions),
  }))
  const text = format(lines, wanted.length + others.length - count)
  return { ...selection, text, tokens: estimateTokens(text), sorted }
}

/** With what is said of every entry. */
function explained({ text, tokens, sorted, wanted, others, count, descriptions, most }: Written): Catalogue {
  const why: WhyOmitted = count < most ? 'over-budget' : 'over-count'
  const left: Weighed<WhyOmitted>[] = wanted.slice(count).map((one) => weighed(one, why))
  for (const { name } of others.slice(Math.max(0, count - wanted.length))) left.push({ name, why })
  return {
    text,
    entries: count,
    omitted: left.length,
    tokens,
    descriptions,
    shown: sorted.map((one) => weighed(one, one.why)),
    left,
  }
}

function weighed<W>({ entry: { name }, score }: Ranked, why: W): Weighed<W> {
  return score === undefined ? { name, why } : { name, why, score }
}

function shorten(description: string, how: Shortening): string {
  if (how === 'none') return ''
  const line = plainLine(description)
  if (how === 'full') return line
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
  return how === 'short' && sentence.length > 60 ? `${cutText(sentence, 59)}…` : sentence
}

function byName(a: CatalogueEntry, b: CatalogueEntry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/** More names than this are not "used lately": relevance must have room. */
const MAX_RECENT = 10

function* rankInSteps(all: readonly CatalogueEntry[], options: CatalogueOptions): Steps<Ranking> {
  const recent = new Map((options.recent ?? []).slice(0, MAX_RECENT).map((name, at) => [name, -at]))
  const scores = options.relevance?.()
  yield
  const judge = (entry: CatalogueEntry, at: number): Judged | null => {
    if (options.alwaysOn?.has(entry.name)) return { entry, why: 'always-on', tier: 0, order: 0 }
    if (entry.pinned) return { entry, why: 'pinned', tier: 1, order: 0 }
    const used = recent.get(entry.name)
    if (used !== undefined) return { entry, why: 'recent', tier: 2, order: used }
    const score = scores?.[at] ?? 0
    return score > 0 ? { entry, why: 'relevant', tier: 3, order: score, score } : null
  }
  const wanted: Judged[] = []
  const others = all.filter((entry, at) => {
    const judged = judge(entry, at)
    if (judged) wanted.push(judged)
    return judged === null
  })
  yield
  // The others come by name already, and sorting again what is sorted is cheap.
  return { wanted: wanted.sort(byWish), others: others.sort(byName), why: 'name' }
}

interface Judged extends Ranked {
  /** The lower, the more wanted; within one the higher `order`. */
  tier: number
  order: number
}

function byWish(a: Judged, b: Judged): number {
  return a.tier - b.tier || b.order - a.order || byName(a.entry, b.entry)
}

/** The largest number below `most` that fits, at least 1. */
function mostThatFit(most: number, fits: (count: number) => boolean): number {
  let low = 1
  let high = Math.max(1, most)
  while (low + 1 < high) {
    const middle = (low + high) >> 1
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}
