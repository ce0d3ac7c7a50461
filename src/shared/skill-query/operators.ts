import type { Scope, SkillStatus } from '../domain/skill'
import { foldText } from '../fold-text'

export type Operator = 'from' | 'status' | 'has' | 'tool' | 'tag' | 'tokens' | 'name' | 'author' | 'license'

/** From `min` to `max`, both included. */
export interface Range {
  min: number
  max: number
}

/** One `operator:value` of a query. Plain data. */
export interface OperatorTerm {
  operator: Operator
  /** For `status` and `has` one of their values in full; else as typed. */
  value: string
  /** Written with a `-` before it. */
  negated: boolean
  /** For `tokens` only. */
  range?: Range
}

interface OperatorRule {
  operator: Operator
  /** All there are, for `status` and `has`; suggestions for the rest. */
  values: readonly string[]
  example: string
}

const SCOPES: Record<Scope, true> = {
  enterprise: true,
  personal: true,
  project: true,
  plugin: true,
  bundled: true,
  shared: true,
}

/** What else is said of a skill in the place of its status (ux.md 3.3, "Status values"), or beside it. */
export type SideStatus =
  | 'off-by-policy'
  | 'not-in-catalogue'
  | 'hidden-from-agent'
  | 'agent-only'
  | 'locked'
  | 'too-large'
  | 'problems'

/** Statuses, what stands beside them, and `problems` for every skill with a warning or an error. */
const STATUSES: Record<SkillStatus | SideStatus, true> = {
  effective: true,
  shadowed: true,
  off: true,
  'off-by-policy': true,
  unavailable: true,
  broken: true,
  'not-trusted': true,
  'not-in-catalogue': true,
  'hidden-from-agent': true,
  'agent-only': true,
  locked: true,
  'too-large': true,
  problems: true,
}
const STATUS_VALUES: readonly string[] = Object.keys(STATUSES)
export const HAS_VALUES = ['scripts', 'references', 'problems', 'license', 'tests'] as const

/** The one table of operators (ux.md 3.3, "List"). */
export const OPERATORS: readonly OperatorRule[] = [
  { operator: 'from', values: Object.keys(SCOPES), example: 'from:project' },
  { operator: 'status', values: STATUS_VALUES, example: 'status:shadowed' },
  { operator: 'has', values: HAS_VALUES, example: 'has:scripts' },
  { operator: 'tool', values: [], example: 'tool:bash' },
  { operator: 'tag', values: [], example: 'tag:pdf' },
  { operator: 'tokens', values: ['>3000', '<1000', '1000..5000'], example: 'tokens:>3000' },
  { operator: 'name', values: [], example: 'name:pdf' },
  { operator: 'author', values: [], example: 'author:"Jo Doe"' },
  { operator: 'license', values: [], example: 'license:mit' },
]

/** Words on screen for a status that differ from its name in data (ux.md 3.3, "Status values"). */
const STATUS_ALIASES: Readonly<Record<string, string>> = {
  'wont-load': 'broken',
  'not-trusted-yet': 'not-trusted',
  untrusted: 'not-trusted',
  disabled: 'off',
}

export function isOperator(name: string): name is Operator {
  return OPERATORS.some(({ operator }) => operator === name)
}

/** The value as it is compared: for `status` and `has` the first that starts so, null where none does. */
export function canonicalValue(operator: Operator, value: string): string | null {
  if (operator === 'has') return startingWith(HAS_VALUES, value)
  if (operator !== 'status') return value
  const direct = startingWith(STATUS_VALUES, value)
  if (direct !== null) return direct
  const alias = startingWith(Object.keys(STATUS_ALIASES), value)
  return alias === null ? null : (STATUS_ALIASES[alias] ?? null)
}

/** `>3000`, `>=3k`, `<1.5k`, `=200`, `200`, `1000..5000`, `1k..`, `..5k`. Null for anything else. */
export function readRange(text: string): Range | null {
  const value = text.toLowerCase().replace(/\s+/g, '')
  const [, from, to] = /^([\d.]*?k?)\.\.([\d.]*k?)$/.exec(value) ?? []
  if (from !== undefined && to !== undefined) return between(from, to)
  const [, sign = '', number = ''] = /^(>=|<=|>|<|=|)(.+)$/.exec(value) ?? []
  const count = readCount(number)
  if (count === null) return null
  if (sign === '>') return { min: count + 1, max: Infinity }
  if (sign === '>=') return { min: count, max: Infinity }
  if (sign === '<') return { min: 0, max: count - 1 }
  return { min: sign === '<=' ? 0 : count, max: count }
}

/** Lower case, anything but letters and digits as one `-`: `Claude Code` and `claude-code` are the same. */
export function slug(text: string): string {
  return foldText(text)
    .replace(/['’]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

function startingWith(values: readonly string[], typed: string): string | null {
  const start = slug(typed)
  return start === '' ? null : (values.find((value) => value.startsWith(start)) ?? null)
}

function between(from: string, to: string): Range | null {
  const min = from === '' ? 0 : readCount(from)
  const max = to === '' ? Infinity : readCount(to)
  return min === null || max === null || (from === '' && to === '') ? null : { min, max }
}

/** Whole tokens; `k` stands for a thousand. */
function readCount(text: string): number | null {
  const [, digits, kilo] = /^(\d{1,9}(?:\.\d{1,3})?)(k?)$/.exec(text) ?? []
  if (digits === undefined) return null
  return Math.round(Number(digits) * (kilo ? 1000 : 1))
}
