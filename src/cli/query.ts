import { Scope } from '@shared/domain/skill'
import { matchesOperators, operatorHints } from '@shared/skill-query'
import type { SkillQuery } from '@shared/skill-query'
import { toolIds } from '../main/skills/agent-folders'
import { summaryOf } from '../main/skills/summary'
import type { SkillsHere } from './skills-here'

/**
 * The query that words of a command line mean. A shell takes quotes away: a word with a space in it was quoted, so it is
 * a phrase, unless it holds quotes of its own, or operators one after another.
 */
export function queryText(words: readonly string[]): string {
  return words.map((word) => (isPhrase(word) ? quoted(word) : word)).join(' ')
}

/** What is said of `foo:bar`. */
export function unknownOperators({ unknown }: SkillQuery): string[] {
  return unknown.map((text) => `"${text}" is no operator, so it was searched for as a word.`)
}

/** What is said of a `from:` that names no scope, tool or plugin. */
export function unknownPlaces({ operators }: SkillQuery, { registry, projectDir }: SkillsHere): string[] {
  const froms = operators.filter(({ operator }) => operator === 'from')
  if (froms.length === 0) return []
  const rows = registry.list(projectDir).map(summaryOf)
  const places = registry.roots(projectDir).flatMap(({ tool }) => (tool === undefined ? [] : [tool]))
  const known = [
    ...rows,
    ...Scope.options.map((scope) => ({ ...NOWHERE, scope })),
    ...[...toolIds(), ...places].map((tool) => ({ ...NOWHERE, tool })),
  ]
  return froms
    .filter(
      (term) => !known.some((row) => matchesOperators({ operators: [{ ...term, negated: false }] }, row)),
    )
    .map(({ value }) => `"from:${value}" names no scope, tool or plugin that is known here.`)
}

const NOWHERE = {
  name: '',
  scope: 'personal',
  status: 'effective',
  scripts: 0,
  problems: 0,
  tokens: { catalogue: 0, body: 0, files: 0 },
  tags: [],
  tools: [],
} as const

function isPhrase(word: string): boolean {
  if (!/\s/.test(word) || word.includes('"')) return false
  return !word.split(/\s+/).slice(1).some(isOperatorTerm)
}

function isOperatorTerm(text: string): boolean {
  const [, name, value] = /^-?([a-z]+):(.*)$/i.exec(text) ?? []
  return Boolean(value) && operatorHints().some(({ operator }) => operator === name?.toLowerCase())
}

function quoted(word: string): string {
  const operator = /^-?[a-z]+:/i.exec(word)?.[0] ?? /^-/.exec(word)?.[0] ?? ''
  return `${operator}"${word.slice(operator.length)}"`
}
