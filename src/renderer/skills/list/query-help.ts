import type { SkillList, SkillSummary } from '@shared/domain/skill'
import { foldText } from '@shared/fold-text'
import { operatorHints, operatorText, unknownPlaces } from '@shared/skill-query'
import type { Operator, OperatorHint, SkillQuery } from '@shared/skill-query'
import { listWords } from './list-strings'

/** One way to go on with what is typed. */
export interface Completion {
  /** What the box holds once it is chosen. */
  text: string
  /** What is offered: `from:` or `from:project`. */
  label: string
  /** An example, or how many skills have the value. */
  hint: string
}

/** Values that the skills at hand have, most frequent first. */
export type KnownValues = Partial<Record<Operator, readonly string[]>>

const MAX_OFFERED = 16
const MAX_KNOWN = 200
/** The rows do not say these: they are no use here. */
const NOT_HERE = new Set(['references', 'tests'])

/**
 * Operators and values that fit what stands before the caret (ux.md 3.3). Of a word at least two letters must be there,
 * so that ordinary words seldom meet one; an empty box offers every operator.
 */
export function completions(typed: string, known: KnownValues): Completion[] {
  const [, dash, name, value] = /(?:^|\s)(-?)(\p{L}*)(?::([^\s"]*))?$/u.exec(typed) ?? []
  if (name === undefined) return []
  const hints = operatorHints()
  const before = typed.slice(
    0,
    typed.length - dash!.length - name.length - (value === undefined ? 0 : value.length + 1),
  )
  if (value === undefined) {
    if (name.length < 2 && typed.trim() !== '') return []
    return hints
      .filter(({ operator }) => operator.startsWith(name.toLowerCase()))
      .map(({ operator, example }) => ({
        text: `${before}${dash}${operator}:`,
        label: `${operator}:`,
        hint: example,
      }))
  }
  const hint = hints.find(({ operator }) => operator === name.toLowerCase())
  return hint
    ? values(hint, value, known).map((found) => valueCompletion(hint.operator, found, `${before}${dash}`))
    : []
}

/** What the rows can be asked for by `tag:`, `tool:`, `author:`, `license:` and `from:`. */
export function knownValues(skills: readonly SkillSummary[]): KnownValues {
  return {
    tag: frequent(skills.flatMap(({ tags }) => tags)),
    tool: frequent(skills.flatMap(({ tools }) => tools.map((tool) => tool.replace(/\(.*$/, '')))),
    author: frequent(skills.map(({ author }) => author)),
    license: frequent(skills.map(({ license }) => license)),
    from: frequent(skills.flatMap((skill) => [skill.tool, skill.package])),
  }
}

/** What is to be said of a query: pieces that are no operators, and places that are not known. Empty: nothing. */
export function queryNote(query: SkillQuery, { skills, roots }: Pick<SkillList, 'skills' | 'roots'>): string {
  const places = unknownPlaces(query, { skills, roots })
  return [unknownWords(query.unknown), ...places].filter((text) => text !== '').join(' ')
}

/** What is to be said of pieces that look like operators and are none; empty when there are none. */
export function unknownWords(unknown: readonly string[]): string {
  const [first, ...more] = unknown
  if (first === undefined) return ''
  const names = operatorHints().map(({ operator }) => `${operator}:`)
  const [operator = '', value = ''] = first.split(/:(.*)/s)
  const hint = operatorHints().find((other) => other.operator === operator.toLowerCase())
  const words = listWords.queryHelp.searchedForAsText(more.length)
  if (!hint) return listWords.queryHelp.thereIsNoOperator(operator, words, names.join(' '))
  const offered = hint.values.filter((other) => !NOT_HERE.has(other)).join(', ')
  return listWords.queryHelp.cantBeItCan(operator, value, words, offered)
}

function values({ operator, values }: OperatorHint, typed: string, known: KnownValues): string[] {
  const start = foldText(typed)
  const all = [...values.filter((value) => !NOT_HERE.has(value)), ...(known[operator] ?? [])]
  return [...new Set(all)]
    .filter((value) => foldText(value).startsWith(start) && value !== typed)
    .slice(0, MAX_OFFERED)
}

function valueCompletion(operator: Operator, value: string, before: string): Completion {
  const label = operatorText({ operator, value, negated: false })
  return { text: `${before}${label} `, label, hint: '' }
}

function frequent(all: readonly (string | undefined)[]): string[] {
  const counts = new Map<string, number>()
  for (const value of all) if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, MAX_KNOWN)
    .map(([value]) => value)
}
