import type { SkillHit, SkillSummary } from '@shared/domain/skill'
import { foldText } from '@shared/fold-text'
import { matchesOperators, parseSkillQuery } from '@shared/skill-query'
import type { SkillQuery } from '@shared/skill-query'
import { inPlace, scopeRank } from './places'
import type { Place } from './places'

export type Chip = 'effective' | 'problems' | 'scripts' | 'off'

/** `best` stands for the order of the search; without words it is the resolution order. */
export type SortBy = 'best' | 'order' | 'name' | 'tokens' | 'files' | 'changed'

export interface SkillFilter {
  place: Place
  /** Empty means all. Effective, problems and off add up; scripts narrows. */
  chips: ReadonlySet<Chip>
  query: string
  sort: SortBy
}

export const NO_FILTER: SkillFilter = { place: { kind: 'all' }, chips: new Set(), query: '', sort: 'best' }

/** What main found for the words, best first; null while there is no answer. */
export type Hits = ReadonlyMap<string, SkillHit>

export interface FilterWith {
  hits?: Hits | null
  /** The person's setting that puts Project before Personal. */
  projectFirst?: boolean
}

/** The rows of the list, in order. Pure, one pass: 10,000 rows within a keystroke (ux.md 7). */
export function filterSkills(
  skills: readonly SkillSummary[],
  filter: SkillFilter,
  { hits = null, projectFirst = false }: FilterWith = {},
): SkillSummary[] {
  const query = parseSkillQuery(filter.query)
  const text = textTest(query, hits)
  const shown = skills.filter(
    (skill) =>
      inPlace(skill, filter.place) &&
      passesChips(skill, filter.chips) &&
      matchesOperators(query, skill) &&
      text(skill),
  )
  return inOrder(shown, filter.sort, { hits: hasWords(query) ? hits : null, projectFirst })
}

/** True when there is something to search texts for. */
export function hasWords({ words, phrases, excluded }: SkillQuery): boolean {
  return words.length + phrases.length + excluded.length > 0
}

/** How many each chip would show in a place, whatever is typed. */
export function chipCounts(skills: readonly SkillSummary[], place: Place): Record<Chip | 'all', number> {
  const counts = { all: 0, effective: 0, problems: 0, scripts: 0, off: 0 }
  for (const skill of skills) {
    if (!inPlace(skill, place)) continue
    counts.all += 1
    if (skill.status === 'effective') counts.effective += 1
    if (hasProblems(skill)) counts.problems += 1
    if (skill.scripts > 0) counts.scripts += 1
    if (skill.status === 'off') counts.off += 1
  }
  return counts
}

const COMPARE: Record<Exclude<SortBy, 'order' | 'best'>, (a: SkillSummary, b: SkillSummary) => number> = {
  name: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  tokens: (a, b) => b.tokens.body - a.tokens.body,
  files: (a, b) => b.scripts - a.scripts || b.files - a.files,
  changed: (a, b) => b.changedAt - a.changedAt,
}

function inOrder(
  skills: SkillSummary[],
  sort: SortBy,
  { hits, projectFirst }: Required<FilterWith>,
): SkillSummary[] {
  if (sort === 'best' && hits) return bestFirst(skills, hits)
  if (sort !== 'best' && sort !== 'order') return skills.toSorted(COMPARE[sort])
  return skills.toSorted((a, b) => scopeRank(a, projectFirst) - scopeRank(b, projectFirst))
}

/** As main ranked them; what only the row's own text matched comes after. */
function bestFirst(skills: readonly SkillSummary[], hits: Hits): SkillSummary[] {
  const rank = new Map([...hits.keys()].map((key, index) => [key, index]))
  const of = ({ key }: SkillSummary): number => rank.get(key) ?? hits.size
  return skills.toSorted((a, b) => of(a) - of(b))
}

function passesChips(skill: SkillSummary, chips: ReadonlySet<Chip>): boolean {
  if (chips.size === 0) return true
  if (chips.has('scripts') && skill.scripts === 0) return false
  if (chips.size === (chips.has('scripts') ? 1 : 0)) return true
  return (
    (chips.has('effective') && skill.status === 'effective') ||
    (chips.has('problems') && hasProblems(skill)) ||
    (chips.has('off') && skill.status === 'off')
  )
}

function hasProblems({ problems, status }: SkillSummary): boolean {
  return problems > 0 || status === 'broken'
}

/**
 * A row is shown if main found it or its own text holds every word. With excluded words only main knows, once it has
 * answered: they may stand in a body.
 */
function textTest(query: SkillQuery, hits: Hits | null): (skill: SkillSummary) => boolean {
  if (!hasWords(query)) return () => true
  const wanted = [...query.words, ...query.phrases].map(foldText)
  const unwanted = query.excluded.map(foldText)
  const own = (skill: SkillSummary): boolean => {
    const text = textOf(skill)
    return wanted.every((word) => text.includes(word)) && !unwanted.some((word) => text.includes(word))
  }
  if (!hits || wanted.length === 0) return own
  return unwanted.length > 0 ? ({ key }) => hits.has(key) : (skill) => hits.has(skill.key) || own(skill)
}

const texts = new WeakMap<SkillSummary, string>()

/** What a row says, folded once: rows that did not change stay the same objects. */
function textOf(skill: SkillSummary): string {
  const known = texts.get(skill)
  if (known !== undefined) return known
  const text = foldText([skill.name, skill.label, skill.description, ...skill.tags].join('\n'))
  texts.set(skill, text)
  return text
}
