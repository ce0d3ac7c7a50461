import { byWords } from './row-order'
import type { MetaRow } from './row-order'
import type { Term } from './search-words'
import { spacedWords } from './search-words'
import { createVocabulary } from './typos'
import type { TypoHit } from './typos'
import { createWordIndex } from './word-index'
import type { WordIndex, WordPart, Words } from './word-index'
import type { IndexedSkill } from './worker-contract'

export type MetaPlace = 'name' | 'tags' | 'description'

export interface MetaHit {
  row: MetaRow
  where: MetaPlace
  /** Smaller is better, from 0. */
  tier: number
}

/** A row, and how many of the terms are in its name, tags and description. */
export interface TermHit {
  row: MetaRow
  held: number
}

/** What a search asks of the names, tags and descriptions. */
export interface Names {
  get(id: number): MetaRow | undefined
  /** These are asked for next. */
  expect(ids: readonly number[]): void
  /** Those that there are of some rows, at most `limit`: with more of the terms first, then by their words and key. */
  byTerms(ids: readonly number[], terms: readonly Term[], limit: number): TermHit[]
  /** Rows that hold every term, best first: by place, then by their words and key. */
  find(terms: readonly Term[], limit: number): MetaHit[]
  /** Rows whose name or tags hold words nearly like the terms; best first. */
  findNear(terms: readonly Term[], limit: number): TypoHit[]
}

/** The rows in memory: they are scanned (performance.md, decision 7), and once settled only those that may fit. */
export interface NameMatch extends Names {
  /** Replaces rows with the same id. */
  put(rows: readonly MetaRow[]): void
  remove(ids: readonly number[]): void
  clear(): void
  /** One step of sorting the rows and collecting their words; true when there is nothing left to do. */
  settle(): boolean
  /** What `settle` made of the rows; null before. */
  settled(): { ids: number[]; words: Words } | null
}

/** Characters of the description that are kept. */
const BRIEF = 200
/** A term this short counts only where a word starts. */
const SHORT = 2
const TIERS = 9
/** Where the hits of a tier are; those of tier 4 differ. */
const PLACES: readonly (MetaPlace | null)[] = [
  ...(['name', 'name', 'name', 'name', null] as const),
  ...(['tags', 'tags', 'description', 'description'] as const),
]

/** What is found by its name: the handle, and the name as written where its words are others. */
export function searchedName({ name, label = '' }: Pick<IndexedSkill, 'name' | 'label'>): string {
  return label === '' || spacedWords(label) === spacedWords(name) ? name : `${name} ${label}`
}

/** Words of a row, one line each for name, tags and description; see `spacedWords`. */
export function metaText(skill: Pick<IndexedSkill, 'name' | 'label' | 'tags' | 'description'>): string {
  const brief = skill.description.slice(0, BRIEF)
  return `${spacedWords(searchedName(skill))}\n${spacedWords(skill.tags.join(' '))}\n${spacedWords(brief)}`
}

export function createNameMatch(): NameMatch {
  const byId = new Map<number, MetaRow>()
  let laidOut: Layout | null = null
  let vocabulary: ReturnType<typeof createVocabulary> | null = null
  const changed = () => {
    laidOut = null
    vocabulary = null
  }
  // Sorting costs more than one search, so the first one after a change sorts its hits only.
  const all = () => {
    if (laidOut?.inOrder) return laidOut
    return (laidOut = layOut([...byId.values()], laidOut !== null))
  }
  return {
    put(changes) {
      for (const row of changes) byId.set(row.id, row)
      changed()
    },
    remove(ids) {
      for (const id of ids) byId.delete(id)
      changed()
    },
    clear() {
      byId.clear()
      changed()
    },
    settle() {
      if (!laidOut?.inOrder) laidOut = layOut([...byId.values()], true)
      else if (!laidOut.words) laidOut.words = createWordIndex(laidOut.texts)
      else if (!vocabulary) vocabulary = createVocabulary(laidOut.rows)
      else return true
      return false
    },
    settled() {
      const words = laidOut?.words?.words
      return words && laidOut ? { ids: laidOut.rows.map(({ id }) => id), words } : null
    },
    get: (id) => byId.get(id),
    expect: () => undefined,
    byTerms(ids, terms, limit) {
      return byTerms(all(), ids, { terms, limit })
    },
    find: (terms, limit) => find(all(), terms, limit),
    findNear: (terms, limit) => (vocabulary ??= createVocabulary(all().rows)).find(terms, limit),
  }
}

/** The rows, and beside them what the scan reads. */
interface Layout {
  rows: MetaRow[]
  texts: string[]
  /** Where the row of an id is among them. */
  places: ReadonlyMap<number, number>
  /** Where name and tags end in each text. */
  nameEnds: Uint16Array
  tagsEnds: Uint16Array
  /** The rows are sorted by `byWords`. */
  inOrder: boolean
  /** Made by `settle`. */
  words?: WordIndex
}

function layOut(rows: MetaRow[], inOrder: boolean): Layout {
  if (inOrder) rows.sort(byWords)
  const texts = rows.map(({ text }) => text)
  const nameEnds = Uint16Array.from(texts, (text) => text.indexOf('\n'))
  const tagsEnds = Uint16Array.from(texts, (text, at) => text.indexOf('\n', nameEnds[at]! + 1))
  const places = new Map(rows.map(({ id }, at) => [id, at]))
  return { rows, texts, places, nameEnds, tagsEnds, inOrder }
}

function find(layout: Layout, terms: readonly Term[], limit: number): MetaHit[] {
  if (terms.length === 0) return []
  const needles = terms.map(needleOf)
  const { rows, inOrder } = layout
  const marks = layout.words?.rowsWith(terms.map(partOf)) ?? null
  const tiers = scan(layout, { needles, limit: inOrder ? limit : Infinity, marks })
  if (!inOrder) for (const tier of tiers) tier.sort((a, b) => byWords(rows[a]!, rows[b]!))
  const hits = tiers.flatMap((places, tier) => places.map((at) => ({ at, tier }))).slice(0, limit)
  return hits.map(({ at, tier }) => ({
    row: rows[at]!,
    tier,
    where: PLACES[tier] ?? whereOf(layout, at, needles),
  }))
}

/** Places of the rows of each tier, in their order; those that come after `limit` others need not be there. */
function scan(
  layout: Layout,
  { needles, limit, marks }: { needles: readonly Needle[]; limit: number; marks: Uint8Array | null },
): number[][] {
  const tiers: number[][] = Array.from({ length: TIERS }, () => [])
  const { texts, tagsEnds } = layout
  const whole = needles.map(({ start }) => start).join('')
  const first = needles[0]!.any
  // With these before it, a row that has the only word in its description comes too late.
  let ahead = needles.length === 1 ? 0 : -Infinity
  for (let at = 0; at < texts.length; at++) {
    if (marks?.[at] === 0) continue
    const found = texts[at]!.indexOf(first)
    if (found < 0 || (ahead >= limit && found > tagsEnds[at]!)) continue
    const tier = tierOf(layout, { at, found, needles, whole })
    if (tier < 0 || tiers[tier]!.length >= limit) continue
    tiers[tier]!.push(at)
    if (tier < TIERS - 1) ahead += 1
  }
  return tiers
}

/** Rows with as many of the terms after another, the best first. */
function byTerms(
  layout: Layout,
  ids: readonly number[],
  { terms, limit }: { terms: readonly Term[]; limit: number },
): TermHit[] {
  const { rows, places, inOrder } = layout
  const heldAt = termCounter(layout, terms)
  const marks = new Uint8Array(rows.length)
  for (const id of ids) {
    const at = places.get(id)
    if (at !== undefined) marks[at] = heldAt(at) + 1
  }
  const hits: TermHit[] = []
  for (let held = terms.length; held >= 0 && hits.length < limit; held--) {
    const left = limit - hits.length
    const found = placesOf(marks, held + 1, inOrder ? left : Infinity)
    if (!inOrder) found.sort((a, b) => byWords(rows[a]!, rows[b]!))
    for (const at of found.slice(0, left)) hits.push({ row: rows[at]!, held })
  }
  return hits
}

function placesOf(marks: Uint8Array, mark: number, most: number): number[] {
  const found: number[] = []
  for (let at = marks.indexOf(mark); at >= 0 && found.length < most; at = marks.indexOf(mark, at + 1)) {
    found.push(at)
  }
  return found
}

/** How many of the terms start words of the row at a place. */
function termCounter({ texts, words }: Layout, terms: readonly Term[]): (at: number) => number {
  const needles = terms.map((term) => {
    const { start } = needleOf(term)
    return {
      start,
      marks: words?.rowsWith([{ text: term.tokens[0]!, atStart: true }]),
      alone: !term.tokens[1],
    }
  })
  return (at) => {
    let held = 0
    for (const { start, marks, alone } of needles) {
      if (marks?.[at] === 0) continue
      if ((marks && alone) || texts[at]!.includes(start)) held += 1
    }
    return held
  }
}

interface Needle {
  /** What must be in the text. */
  any: string
  /** The same at the start of a word. */
  start: string
}

/** What must be in the text of a row that has the term. */
export function neededText(term: Term): string {
  return needleOf(term).any
}

function needleOf({ tokens }: Term): Needle {
  const text = tokens.join(' ')
  const start = ` ${text}`
  return { any: text.length <= SHORT ? start : text, start }
}

/** What some word of a row with the term must have. Of words one after another the longest must be in some word, whole or at its ends. */
export function partOf({ tokens }: Term): WordPart {
  const text = tokens.reduce((longest, token) => (token.length > longest.length ? token : longest), '')
  return { text, atStart: tokens.length === 1 && text.length <= SHORT }
}

interface Look {
  at: number
  /** Where the first needle is in the text. */
  found: number
  needles: readonly Needle[]
  whole: string
}

/**
 * Tiers: 0 the name itself; 1 the name starts so; in the name 2 at starts of words, 3 anywhere; 4 in the name and
 * elsewhere; in the tags 5 at starts of words, 6 anywhere; in the description 7 at starts of words, 8 anywhere. -1 for
 * a row that lacks a term.
 */
function tierOf(layout: Layout, { at, found, needles, whole }: Look): number {
  const text = layout.texts[at]!
  const span = spanOf(text, found, needles)
  if (!span) return -1
  const nameEnd = layout.nameEnds[at]!
  if (span.nearest < nameEnd && span.furthest > nameEnd) return 4
  const tagsEnd = layout.tagsEnds[at]!
  const end = span.furthest < nameEnd ? nameEnd : span.furthest < tagsEnd ? tagsEnd : text.length
  const inside = span.starts || allStart(text, needles, end) ? 0 : 1
  if (end !== nameEnd) return (end === tagsEnd ? 5 : 7) + inside
  if (text.startsWith(whole)) return whole.length === nameEnd ? 0 : 1
  return 2 + inside
}

/** First finds of all terms; null when one is not there. */
function spanOf(
  text: string,
  found: number,
  needles: readonly Needle[],
): { nearest: number; furthest: number; starts: boolean } | null {
  let nearest = found
  let furthest = found
  let starts = isStart(text, found)
  for (let each = 1; each < needles.length; each++) {
    const place = text.indexOf(needles[each]!.any)
    if (place < 0) return null
    if (place > furthest) furthest = place
    if (place < nearest) nearest = place
    starts &&= isStart(text, place)
  }
  return { nearest, furthest, starts }
}

/** The place that holds what the places before it lack. */
function whereOf({ texts, nameEnds, tagsEnds }: Layout, at: number, needles: readonly Needle[]): MetaPlace {
  const furthest = Math.max(...needles.map(({ any }) => texts[at]!.indexOf(any)))
  if (furthest < nameEnds[at]!) return 'name'
  return furthest < tagsEnds[at]! ? 'tags' : 'description'
}

const SPACE = 32

/** At a space before a word, or right after one. */
function isStart(text: string, at: number): boolean {
  return text.charCodeAt(at) === SPACE || text.charCodeAt(at - 1) === SPACE
}

function allStart(text: string, needles: readonly Needle[], end: number): boolean {
  return needles.every(({ start }) => {
    const at = text.indexOf(start)
    return at >= 0 && at < end
  })
}
