import type { Scope, SkillStatus } from '../domain/skill'
import { foldText } from '../fold-text'
import { slug } from './operators'
import type { HAS_VALUES, Operator, OperatorTerm, SideStatus } from './operators'

/** What operators look at; a `SkillSummary` is one. */
export interface SkillFacets {
  name: string
  scope: Scope
  status: SkillStatus
  /** How many there are. */
  scripts: number
  problems: number
  tokens: { catalogue: number; body: number; files: number }
  tags: readonly string[]
  tools: readonly string[]
  license?: string | undefined
  package?: string | undefined
  tool?: string | undefined
  author?: string | undefined
  /** It has files below `references/`. Where that is not known, text files other than scripts count. */
  references?: boolean | undefined
  /** It has tests of its own. Not known counts as none. */
  tests?: boolean | undefined
  /** A policy makes it unavailable. */
  byPolicy?: boolean | undefined
  /** `disable-model-invocation`. */
  hiddenFromModel?: boolean | undefined
  userInvocable?: boolean | undefined
  /** The catalogue has no place for it. Not known counts as no. */
  outside?: boolean | undefined
}

/**
 * True when a row passes every operator of the query, whatever its words. Of several values of `from`, `status`, `name`,
 * `author` or `license`, of which a skill has one each, one is enough; of `has`, `tool`, `tag` and `tokens` all must
 * hold. No negated one may hold.
 */
export function matchesOperators(
  { operators }: { operators: readonly OperatorTerm[] },
  row: SkillFacets,
): boolean {
  const wanted = operators.filter(({ negated }) => !negated)
  return (
    operators.every((term) => !term.negated || !holds(term, row)) &&
    wanted.every((term) => !NEEDS_ALL.has(term.operator) || holds(term, row)) &&
    wanted.every(
      ({ operator }) =>
        NEEDS_ALL.has(operator) || wanted.some((term) => term.operator === operator && holds(term, row)),
    )
  )
}

const NEEDS_ALL: ReadonlySet<Operator> = new Set<Operator>(['has', 'tool', 'tag', 'tokens'])

const HAS: Record<(typeof HAS_VALUES)[number], (row: SkillFacets) => boolean> = {
  scripts: (row) => row.scripts > 0,
  references: (row) => row.references ?? row.tokens.files > 0,
  problems: hasProblems,
  license: (row) => (row.license ?? '') !== '',
  tests: (row) => row.tests ?? false,
}

/** Above the guide of the format; still used. */
const LARGE_BODY = 5000

const BESIDE: Record<SideStatus | 'off', (row: SkillFacets) => boolean> = {
  // By the person and by policy: both are off for people (ux.md 3.3).
  off: ({ status, byPolicy }) => status === 'off' || byPolicy === true,
  'off-by-policy': ({ byPolicy }) => byPolicy === true,
  'not-in-catalogue': ({ outside }) => outside === true,
  'hidden-from-agent': ({ status, hiddenFromModel }) => status === 'effective' && hiddenFromModel === true,
  'agent-only': ({ status, userInvocable }) => status === 'effective' && userInvocable === false,
  locked: ({ scope }) => scope === 'enterprise',
  'too-large': ({ status, tokens }) => status === 'effective' && tokens.body > LARGE_BODY,
  problems: hasProblems,
}

const TESTS: Record<Operator, (row: SkillFacets, term: OperatorTerm) => boolean> = {
  from: (row, { value }) => isFrom(row, slug(value)),
  status: (row, { value }) =>
    Object.hasOwn(BESIDE, value) ? BESIDE[value as keyof typeof BESIDE](row) : row.status === value,
  has: (row, { value }) => Object.hasOwn(HAS, value) && HAS[value as keyof typeof HAS](row),
  tool: (row, { value }) => anyStarts(row.tools, value),
  tag: (row, { value }) => anyStarts(row.tags, value),
  tokens: (row, { range }) =>
    range !== undefined && row.tokens.body >= range.min && row.tokens.body <= range.max,
  name: (row, { value }) => holdsText(row.name, value),
  author: (row, { value }) => holdsText(row.author, value),
  license: (row, { value }) => holdsText(row.license, value),
}

function holds(term: OperatorTerm, row: SkillFacets): boolean {
  return TESTS[term.operator](row, term)
}

/** By scope, by the tool whose folder it lies in, or by the package it came with. */
function isFrom({ scope, tool, package: pack }: SkillFacets, start: string): boolean {
  if (start === '') return false
  return [scope, tool, pack].some((place) => place !== undefined && slug(place).startsWith(start))
}

function hasProblems({ problems, status }: SkillFacets): boolean {
  return problems > 0 || status === 'broken'
}

function anyStarts(texts: readonly string[], start: string): boolean {
  const wanted = foldText(start)
  return texts.some((text) => foldText(text).startsWith(wanted))
}

function holdsText(text: string | undefined, part: string): boolean {
  return text !== undefined && foldText(text).includes(foldText(part))
}
