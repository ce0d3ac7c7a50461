import type { SkillSummary } from '@shared/domain/skill'
import { foldText } from '@shared/fold-text'

/** The word at the caret that names a skill: `/name` at the start, `@name` anywhere (R18). */
export interface NameAtCaret {
  sign: '/' | '@'
  /** Behind the sign. */
  word: string
  /** Where the sign stands, and where the word ends. */
  from: number
  to: number
}

const MAX_OPTIONS = 8

/** Null when nothing is being named there. */
export function nameAtCaret(text: string, caret: number): NameAtCaret | null {
  const before = text.slice(0, caret)
  const called = /^\s*\/([^\s/]*)$/.exec(before) ?? /(?:^|\s)@([^\s@]*)$/.exec(before)
  if (!called) return null
  const word = called[1] ?? ''
  const from = caret - word.length - 1
  return { sign: text[from] === '/' ? '/' : '@', word, from, to: caret }
}

/** True for a skill that a person may call: also one that is broken for agents only. */
export function mayCall({ status, byHand, userInvocable }: SkillSummary): boolean {
  return (status === 'effective' || byHand === true) && userInvocable
}

/** Skills that a person may call here and whose name fits, those that begin with the word first. */
export function optionsFor({ word }: NameAtCaret, skills: readonly SkillSummary[]): SkillSummary[] {
  const wanted = foldText(word)
  const fits = skills.filter((skill) => mayCall(skill) && foldText(skill.name).includes(wanted))
  const begins = (skill: SkillSummary) => foldText(skill.name).startsWith(wanted)
  return [...fits.filter(begins), ...fits.filter((skill) => !begins(skill))].slice(0, MAX_OPTIONS)
}

/** The text with the name written out and a blank behind it, and where the caret then stands. */
export function withName(text: string, at: NameAtCaret, name: string): { text: string; caret: number } {
  const start = `${text.slice(0, at.from)}${at.sign}${name} `
  return { text: start + text.slice(at.to).replace(/^ /, ''), caret: start.length }
}
