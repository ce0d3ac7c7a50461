import { operatorHints, unknownPlaces } from '@shared/skill-query'
import type { SkillQuery } from '@shared/skill-query'
import { summaryOf } from '../../main/skills/registry/summary'
import type { SkillsHere } from '../here/skills'

/**
 * The query that words of a command line mean. A shell takes quotes away: a word with a space in it was quoted, so it is
 * a phrase, unless it holds quotes of its own, or operators one after another.
 */
export function queryText(words: readonly string[]): string {
  return words.map((word) => (isPhrase(word) ? quoted(word) : word)).join(' ')
}

/** What is said of `foo:bar`, and of what only a chat's catalogue tells. */
export function unknownOperators({ unknown, operators }: SkillQuery): string[] {
  const asWords = unknown.map((text) => `"${text}" is no operator, so it was searched for as a word.`)
  const needsChat = operators.some(({ value }) => value === 'not-in-catalogue')
  return needsChat ? [...asWords, NO_CATALOGUE] : asWords
}

const NO_CATALOGUE =
  '"status:not-in-catalogue" is known of a chat in the window only, so nothing was found by it. See "satchel context".'

/** What is said of a `from:` that names no scope, tool or plugin. */
export function unknownFroms(query: SkillQuery, { registry, projectDir }: SkillsHere): string[] {
  if (!query.operators.some(({ operator }) => operator === 'from')) return []
  return unknownPlaces(query, {
    skills: registry.list(projectDir).map(summaryOf),
    roots: registry.roots(projectDir),
  })
}

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
