import { canonicalValue, isOperator, OPERATORS, readRange } from './skill-query/operators'
import type { Operator, OperatorTerm } from './skill-query/operators'
import { splitQuery } from './skill-query/parts'
import type { QueryPart } from './skill-query/parts'

export { matchesOperators } from './skill-query/match'
export { unknownPlaces } from './skill-query/places'
export type { SkillFacets } from './skill-query/match'
export type { Operator, OperatorTerm } from './skill-query/operators'

/** What was typed into a search for skills (ux.md 3.3, "List"). */
export interface SkillQuery {
  /** In the order typed, as typed. Unknown operators are among them: `foo:bar` is searched for like any word. */
  words: string[]
  /** Texts in double quotes: their words one after another. */
  phrases: string[]
  /** Words and phrases after a `-`: what holds one of them is not wanted. */
  excluded: string[]
  operators: OperatorTerm[]
  /** What looked like an operator and is none, or whose value says nothing: `foo:bar`, `status:purple`. */
  unknown: string[]
}

/** An operator for completion and for the help. */
export interface OperatorHint {
  operator: Operator
  /** What may follow; empty where it can be anything. */
  values: readonly string[]
  example: string
}

/**
 * Splits what was typed into words, phrases and operators; never throws. An operator without a value yet (`from:`) is
 * left out. Values match from their start, so that `status:eff` works while somebody types.
 */
export function parseSkillQuery(text: string): SkillQuery {
  const query: SkillQuery = { words: [], phrases: [], excluded: [], operators: [], unknown: [] }
  for (const part of splitQuery(text)) addPart(query, part)
  return query
}

/** The term as it is typed: `-from:"Claude Code"`. Parsed again it gives the same term. */
export function operatorText({ operator, value, negated }: OperatorTerm): string {
  const plain = /^[^\s"“”„]+$/u.test(value)
  return `${negated ? '-' : ''}${operator}:${plain ? value : `"${value.replace(/["\\]/g, String.raw`\$&`)}"`}`
}

/** Every operator with its values, in the order in which they are offered. */
export function operatorHints(): OperatorHint[] {
  return OPERATORS.map(({ operator, values, example }) => ({ operator, values, example }))
}

function addPart(query: SkillQuery, part: QueryPart): void {
  if (part.operator === '') return addText(query, part)
  const operator = part.operator.toLowerCase()
  if (isOperator(operator)) {
    if (part.value.trim() === '') return
    const term = readTerm(operator, part)
    if (term) {
      query.operators.push(term)
      return
    }
  }
  const typed = `${part.operator}:${part.value}`
  // An address of the web has the form of an operator, and nobody means one by it.
  if (!part.value.startsWith('//')) query.unknown.push(typed)
  addText(query, { ...part, operator: '', value: typed, quoted: false })
}

function addText(query: SkillQuery, { value, quoted, negated }: QueryPart): void {
  if (value.trim() === '') return
  if (negated) query.excluded.push(value)
  else if (quoted) query.phrases.push(value)
  else query.words.push(value)
}

function readTerm(operator: Operator, { value, negated }: QueryPart): OperatorTerm | null {
  if (operator === 'tokens') {
    const range = readRange(value)
    return range && { operator, value, negated, range }
  }
  const canonical = canonicalValue(operator, value)
  return canonical === null ? null : { operator, value: canonical, negated }
}
