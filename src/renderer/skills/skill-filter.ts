import type { Scope, SkillList, SkillStatus, SkillSummary } from '@shared/domain/skill'

export type Chip = 'effective' | 'problems' | 'scripts'

/** Which part of the tree is chosen. */
export type Place =
  | { kind: 'all' }
  | { kind: 'scope'; scope: Scope }
  | { kind: 'root'; location: string }
  | { kind: 'status'; status: SkillStatus }

export type SortBy = 'order' | 'name' | 'tokens' | 'files' | 'changed'

export interface SkillFilter {
  place: Place
  /** Empty means all. Effective and problems add up; scripts narrows. */
  chips: ReadonlySet<Chip>
  query: string
  sort: SortBy
}

export const NO_FILTER: SkillFilter = { place: { kind: 'all' }, chips: new Set(), query: '', sort: 'order' }

/**
 * The rows of the list. `bodyHits` are keys of skills whose body or files match the words, found by main.
 * The words may hold operators: `from:project status:shadowed has:scripts tokens:>3000`.
 */
export function filterSkills(
  skills: readonly SkillSummary[],
  filter: SkillFilter,
  bodyHits: ReadonlySet<string> = new Set(),
): SkillSummary[] {
  const query = parseQuery(filter.query)
  const shown = skills.filter(
    (skill) =>
      inPlace(skill, filter.place) &&
      passesChips(skill, filter.chips) &&
      matchesQuery(skill, query, bodyHits),
  )
  return filter.sort === 'order' ? shown : shown.toSorted(COMPARE[filter.sort])
}

/** How many each chip would show in a place, whatever is typed. */
export function chipCounts(skills: readonly SkillSummary[], place: Place): Record<Chip | 'all', number> {
  const here = skills.filter((skill) => inPlace(skill, place))
  const count = (chip: Chip): number => here.filter((skill) => passesChips(skill, new Set([chip]))).length
  return {
    all: here.length,
    effective: count('effective'),
    problems: count('problems'),
    scripts: count('scripts'),
  }
}

export interface TreeItem {
  place: Place
  label: string
  count: number
  /** State of a folder that has nothing to show: "missing", "empty". */
  note: string
}

export interface Tree {
  scopes: (TreeItem & { scope: Scope })[]
  /** Folders of other tools. */
  shared: TreeItem[]
  attention: (TreeItem & { status: SkillStatus })[]
}

/** Places in resolution order, folders of other tools, and what needs a person. */
export function skillTree(list: SkillList, order: readonly Scope[] = SCOPE_ORDER): Tree {
  const count = (place: Place): number => list.skills.filter((skill) => inPlace(skill, place)).length
  const scopes = order
    .filter((scope) => scope !== 'shared')
    .map((scope) => {
      const place: Place = { kind: 'scope', scope }
      return { place, scope, label: scope, count: count(place), note: rootNote(list, scope) }
    })
    .filter((item) => item.count > 0 || list.roots.some((root) => root.scope === item.scope))
  const shared = list.roots
    .filter((root) => root.scope === 'shared')
    .map((root) => ({
      place: { kind: 'root' as const, location: root.location },
      label: root.location,
      count: root.skills,
      note: root.state === 'found' ? '' : ROOT_WORDS[root.state],
    }))
  const attention = ATTENTION.map((status) => {
    const place: Place = { kind: 'status', status }
    return { place, status, label: STATUS_LABEL[status], count: count(place), note: '' }
  }).filter((item) => item.count > 0)
  return { scopes, shared, attention }
}

export function samePlace(a: Place, b: Place): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Words of the folder states, for the tree and the empty list. */
export const ROOT_WORDS = {
  found: '',
  missing: 'missing',
  empty: 'empty',
  unreadable: 'unreadable',
  'not-trusted': 'not trusted',
}

const SCOPE_ORDER: readonly Scope[] = ['enterprise', 'personal', 'project', 'plugin', 'bundled']
const ATTENTION: readonly SkillStatus[] = ['broken', 'shadowed', 'not-trusted']
const STATUS_LABEL: Record<SkillStatus, string> = {
  effective: 'Effective',
  broken: 'Won’t load',
  shadowed: 'Shadowed',
  'not-trusted': 'Not trusted yet',
}

const COMPARE: Record<Exclude<SortBy, 'order'>, (a: SkillSummary, b: SkillSummary) => number> = {
  name: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  tokens: (a, b) => b.tokens.body - a.tokens.body,
  files: (a, b) => b.scripts - a.scripts || b.files - a.files,
  changed: (a, b) => b.changedAt - a.changedAt,
}

function inPlace(skill: SkillSummary, place: Place): boolean {
  if (place.kind === 'all') return true
  if (place.kind === 'scope') return skill.scope === place.scope
  if (place.kind === 'status') return skill.status === place.status
  return skill.scope === 'shared' && skill.location.startsWith(place.location)
}

function passesChips(skill: SkillSummary, chips: ReadonlySet<Chip>): boolean {
  if (chips.has('scripts') && skill.scripts === 0) return false
  if (!chips.has('effective') && !chips.has('problems')) return true
  const effective = chips.has('effective') && skill.status === 'effective'
  const problems = chips.has('problems') && (skill.problems > 0 || skill.status === 'broken')
  return effective || problems
}

function rootNote(list: SkillList, scope: Scope): string {
  const roots = list.roots.filter((root) => root.scope === scope)
  if (roots.length === 0 || roots.some((root) => root.state === 'found')) return ''
  const worst = roots.find((root) => root.state === 'not-trusted' || root.state === 'unreadable')
  return ROOT_WORDS[(worst ?? roots[0])?.state ?? 'missing']
}

interface Query {
  words: string[]
  tests: ((skill: SkillSummary) => boolean)[]
}

const OPERATOR = /^(from|status|has|tokens):(.+)$/

/** Splits what was typed into plain words and operators; an operator that says nothing known is a plain word. */
function parseQuery(text: string): Query {
  const query: Query = { words: [], tests: [] }
  for (const part of text.toLowerCase().split(/\s+/).filter(Boolean)) {
    const [, name, value] = OPERATOR.exec(part) ?? []
    const test = name && value ? operatorTest(name, value) : null
    if (test) query.tests.push(test)
    else query.words.push(part)
  }
  return query
}

function operatorTest(name: string, value: string): ((skill: SkillSummary) => boolean) | null {
  if (name === 'from') return (skill) => skill.scope.startsWith(value)
  if (name === 'status') return (skill) => skill.status.startsWith(value)
  if (name === 'has' && 'scripts'.startsWith(value)) return (skill) => skill.scripts > 0
  const [, sign, number] = /^([<>]?)(\d{1,9})$/.exec(value) ?? []
  if (name !== 'tokens' || number === undefined) return null
  return (skill) => (sign === '<' ? skill.tokens.body < Number(number) : skill.tokens.body > Number(number))
}

function matchesQuery(skill: SkillSummary, query: Query, bodyHits: ReadonlySet<string>): boolean {
  if (!query.tests.every((test) => test(skill))) return false
  if (bodyHits.has(skill.key)) return true
  const text = `${skill.name} ${skill.description} ${skill.location}`.toLowerCase()
  return query.words.every((word) => text.includes(word))
}
