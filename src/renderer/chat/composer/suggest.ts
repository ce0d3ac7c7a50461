import type { SkillSummary } from '@shared/domain/skill'

/** One thing to try, made from a skill that is there. */
export interface Suggestion {
  key: string
  name: string
  /** First words of the description. */
  words: string
  /** What it puts into the message box. */
  text: string
}

const MAX_WORDS = 12
const MAX_SUGGESTIONS = 3

/** Up to three suggestions: effective skills a model may choose, those with a script first, in their own order. */
export function suggestionsFrom(skills: readonly SkillSummary[]): Suggestion[] {
  return skills
    .filter((skill) => skill.status === 'effective' && !skill.hiddenFromModel && skill.description)
    .toSorted((a, b) => Math.sign(b.scripts) - Math.sign(a.scripts))
    .slice(0, MAX_SUGGESTIONS)
    .map((skill) => ({
      key: skill.key,
      name: skill.name,
      words: firstWords(skill.description),
      text: firstSentence(skill.description),
    }))
}

/** The first sentence, or all of it when there is only one; without the full stop. */
export function firstSentence(description: string): string {
  const flat = description.replace(/\s+/g, ' ').trim()
  return (/^.*?[.!?](?=\s|$)/.exec(flat)?.[0] ?? flat).replace(/[.]$/, '')
}

/** The first sentence, cut after twelve words. */
export function firstWords(description: string): string {
  const words = firstSentence(description).split(' ')
  const text = words.slice(0, MAX_WORDS).join(' ')
  return words.length > MAX_WORDS ? `${text}…` : text
}
