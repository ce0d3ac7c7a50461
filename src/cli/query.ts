import type { SkillQuery } from '@shared/skill-query'

/**
 * The query that words of a command line mean. A shell takes quotes away: a word with a space in it was quoted, so it is
 * a phrase, unless it holds quotes of its own.
 */
export function queryText(words: readonly string[]): string {
  return words.map((word) => (/\s/.test(word) && !word.includes('"') ? quoted(word) : word)).join(' ')
}

/** What is said of `foo:bar`. */
export function unknownOperators({ unknown }: SkillQuery): string[] {
  return unknown.map((text) => `"${text}" is no operator, so it was searched for as a word.`)
}

function quoted(word: string): string {
  const operator = /^-?[a-z]+:/i.exec(word)?.[0] ?? /^-/.exec(word)?.[0] ?? ''
  return `${operator}"${word.slice(operator.length)}"`
}
