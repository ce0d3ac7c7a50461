import type { SkillHit, SkillStatus, SkillSummary, SkillUse } from '@shared/domain/skill'
import { foldText } from '@shared/fold-text'
import { matchesOperators, parseSkillQuery } from '@shared/skill-query'
import type { SkillQuery } from '@shared/skill-query'
import { inPlace, scopeRank } from '../tree/places'
import type { Place } from '../tree/places'

export type Chip = 'effective' | 'problems' | 'scripts' | 'off' | 'enterprise'

/** `best` stands for the order of the search; without words it is the resolution order. */
export type SortBy = 'best' | 'order' | 'name' | 'status' | 'tokens' | 'runs' | 'files' | 'changed'

export interface Sorting {
  sort: SortBy
  /** Against the usual way of that column. */
  reversed: boolean
}

export interface SkillFilter extends Sorting {
  place: Place
  /** Empty means all. Effective, problems and off add up; scripts and enterprise narrow. */
  chips: ReadonlySet<Chip>
  query: string
  /** Only what the record has no load of. */
  neverUsed: boolean
  /** Only what an agent always uses; null: any. */
  usedBy: { agent: string; skills: readonly string[] } | null
}

export const NO_FILTER: SkillFilter = {
  place: { kind: 'all' },
  chips: new Set(),
  query: '',
  sort: 'best',
  reversed: false,
  neverUsed: false,
  usedBy: null,
}

/** Which columns begin with the smallest; the others begin with the largest. */
export const ASCENDS: Readonly<Record<SortBy, boolean>> = {
  best: true,
  order: true,
  name: true,
  status: true,
  tokens: false,
  runs: false,
  files: false,
  changed: false,
}

/** A column once, then the other way round, then the resolution order again. */
export function nextSorting({ sort, reversed }: Sorting, column: SortBy): Sorting {
  if (sort !== column) return { sort: column, reversed: false }
  return reversed ? { sort: 'best', reversed: false } : { sort, reversed: true }
}

/** What main found for the words, best first; null while there is no answer. */
export type Hits = ReadonlyMap<string, SkillHit>

export interface FilterWith {
  hits?: Hits | null
  /** The person's setting that puts Project before Personal. */
  projectFirst?: boolean
  /** By key; null: not known yet. */
  use?: ReadonlyMap<string, SkillUse> | null
  /** True where the catalogue has no place for it; without it nothing is known to be outside. */
  outside?: (skill: SkillSummary) => boolean
}

/** The rows that fit all but the chips. Pure, one pass: 10,000 rows within a keystroke (ux.md 7). */
export function matchSkills(
  skills: readonly SkillSummary[],
  filter: SkillFilter,
  { hits = null, use = null, outside }: FilterWith = {},
): SkillSummary[] {
  const query = parseSkillQuery(filter.query)
  const text = textTest(query, hits, textsIn(skills))
  const operators = operatorTest(query, outside)
  return skills.filter(
    (skill, at) =>
      inPlace(skill, filter.place) &&
      (!filter.neverUsed || (use !== null && (use.get(skill.key)?.loads ?? 0) === 0)) &&
      (!filter.usedBy || filter.usedBy.skills.includes(skill.name)) &&
      operators(skill) &&
      text(skill, at),
  )
}

/** Those of them that the chips leave, in order: the rows of the list. */
export function listSkills(
  matched: readonly SkillSummary[],
  filter: SkillFilter,
  { hits = null, projectFirst = false, use = null }: FilterWith = {},
): SkillSummary[] {
  const shown = matched.filter((skill) => passesChips(skill, filter.chips))
  const found = hasWords(parseSkillQuery(filter.query)) ? hits : null
  return inOrder(shown, filter, { hits: found, projectFirst, use })
}

/** True when there is something to search texts for. */
export function hasWords({ words, phrases, excluded }: SkillQuery): boolean {
  return words.length + phrases.length + excluded.length > 0
}

/** How many of what was matched each chip alone would show. */
export function chipCounts(matched: readonly SkillSummary[]): Record<Chip | 'all', number> {
  const counts = { all: 0, effective: 0, problems: 0, scripts: 0, off: 0, enterprise: 0 }
  for (const skill of matched) {
    counts.all += 1
    if (skill.status === 'effective') counts.effective += 1
    if (hasProblems(skill)) counts.problems += 1
    if (skill.scripts > 0) counts.scripts += 1
    if (isOff(skill)) counts.off += 1
    if (skill.scope === 'enterprise') counts.enterprise += 1
  }
  return counts
}

type Compare = (a: SkillSummary, b: SkillSummary) => number

const COMPARE: Record<Exclude<SortBy, 'order' | 'best' | 'runs'>, Compare> = {
  name: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  status: (a, b) => STATUS_RANK[a.status] - STATUS_RANK[b.status],
  tokens: (a, b) => b.tokens.body - a.tokens.body,
  files: (a, b) => b.scripts - a.scripts || b.files - a.files,
  changed: (a, b) => b.changedAt - a.changedAt,
}

/** What needs a person first. */
const STATUS_RANK: Record<SkillStatus, number> = {
  broken: 0,
  'not-trusted': 1,
  shadowed: 2,
  off: 3,
  unavailable: 4,
  effective: 5,
}

function inOrder(
  skills: SkillSummary[],
  { sort, reversed }: Sorting,
  { hits, projectFirst, use }: Required<Omit<FilterWith, 'outside'>>,
): SkillSummary[] {
  if (sort === 'best' && hits) return bestFirst(skills, hits)
  if (sort === 'best' || sort === 'order') return byScope(skills, projectFirst, reversed)
  const byRuns: Compare = (a, b) => runsOf(use?.get(b.key)) - runsOf(use?.get(a.key))
  const compare = sort === 'runs' ? byRuns : COMPARE[sort]
  return skills.toSorted(reversed ? (a, b) => compare(b, a) : compare)
}

/** As a stable sort by rank would, in one pass: there are few ranks and many skills. */
function byScope(skills: readonly SkillSummary[], projectFirst: boolean, reversed: boolean): SkillSummary[] {
  const ranks: SkillSummary[][] = []
  for (const skill of skills) (ranks[scopeRank(skill, projectFirst)] ??= []).push(skill)
  return (reversed ? ranks.toReversed() : ranks).flatMap((some) => some ?? [])
}

/** Runs of the last 30 days. */
export function runsOf(use: SkillUse | undefined): number {
  return use?.runs.reduce((sum, count) => sum + count, 0) ?? 0
}

/** As main ranked them; what only the row's own text matched comes after. */
function bestFirst(skills: readonly SkillSummary[], hits: Hits): SkillSummary[] {
  const rank = new Map([...hits.keys()].map((key, index) => [key, index]))
  const of = ({ key }: SkillSummary): number => rank.get(key) ?? hits.size
  return skills.toSorted((a, b) => of(a) - of(b))
}

/** Those that narrow. */
const NARROWING: readonly Chip[] = ['scripts', 'enterprise']

function passesChips(skill: SkillSummary, chips: ReadonlySet<Chip>): boolean {
  if (chips.size === 0) return true
  if (chips.has('scripts') && skill.scripts === 0) return false
  if (chips.has('enterprise') && skill.scope !== 'enterprise') return false
  if (chips.size === NARROWING.filter((chip) => chips.has(chip)).length) return true
  return (
    (chips.has('effective') && skill.status === 'effective') ||
    (chips.has('problems') && hasProblems(skill)) ||
    (chips.has('off') && isOff(skill))
  )
}

/** By the person, or by policy (ux.md 3.3). */
function isOff({ status, byPolicy }: SkillSummary): boolean {
  return status === 'off' || byPolicy === true
}

function hasProblems({ problems, status }: SkillSummary): boolean {
  return problems > 0 || status === 'broken'
}

function operatorTest(query: SkillQuery, outside: FilterWith['outside']): (skill: SkillSummary) => boolean {
  const { operators } = query
  if (operators.length === 0) return () => true
  const asksCatalogue = operators.some(({ value }) => value === 'not-in-catalogue')
  if (!asksCatalogue || !outside) return (skill) => matchesOperators(query, skill)
  return (skill) => matchesOperators(query, { ...skill, outside: outside(skill) })
}

/**
 * A row is shown if main found it or its own text holds every word. With excluded words only main knows, once it has
 * answered: they may stand in a body.
 */
function textTest(
  query: SkillQuery,
  hits: Hits | null,
  known: (string | undefined)[],
): (skill: SkillSummary, at: number) => boolean {
  if (!hasWords(query)) return () => true
  const wanted = [...query.words, ...query.phrases].map(foldText)
  const unwanted = query.excluded.map(foldText)
  const own = (skill: SkillSummary, at: number): boolean => {
    const text = (known[at] ??= textOf(skill))
    return wanted.every((word) => text.includes(word)) && !unwanted.some((word) => text.includes(word))
  }
  if (!hits || wanted.length === 0) return own
  return unwanted.length > 0
    ? ({ key }) => hits.has(key)
    : (skill, at) => hits.has(skill.key) || own(skill, at)
}

/** Folds what the rows say while nobody types, a few milliseconds at a time. Returns a function that stops. */
export function warmTexts(skills: readonly SkillSummary[]): () => void {
  let at = 0
  let handle = 0
  const go = (deadline: IdleDeadline): void => {
    while (at < skills.length && deadline.timeRemaining() > 2) textOf(skills[at++]!)
    if (at < skills.length) handle = requestIdleCallback(go)
  }
  handle = requestIdleCallback(go)
  return () => cancelIdleCallback(handle)
}

/** What the rows of a list say, in its order: found by place, not by key at each letter. Nobody changes a list. */
const textsOfLists = new WeakMap<readonly SkillSummary[], (string | undefined)[]>()

function textsIn(skills: readonly SkillSummary[]): (string | undefined)[] {
  const known = textsOfLists.get(skills) ?? Array.from({ length: skills.length }, () => undefined)
  textsOfLists.set(skills, known)
  return known
}

/** By key; a weak map of thousands costs more than it spares. */
const texts = new Map<string, { skill: SkillSummary; text: string }>()

/** What a row says, folded once: rows that did not change stay the same objects. */
function textOf(skill: SkillSummary): string {
  const known = texts.get(skill.key)
  if (known?.skill === skill) return known.text
  const text = foldText([skill.name, skill.label, skill.description, ...skill.tags].join('\n'))
  texts.set(skill.key, { skill, text })
  return text
}
