import type { RankedSkill, TypedWords } from '@shared/domain/editing'
import { availableSkills } from '../../sessions/instructions/catalogue'
import { createRelevance, type RelevantText } from '../../sessions/instructions/relevance'
import type { SkillEntry } from '../../skills/record'
import { catalogueTokens } from '../../skills/scan/facts'

/** The lines of the catalogue that a model has of a skill with these words, and what its row says they cost. */
export function seenEntry(entry: { name: string; description: string }): { text: string; tokens: number } {
  const text = availableSkills([entry], 0).split('\n').slice(1, -1).join('\n')
  return { text, tokens: catalogueTokens(entry) }
}

const SHOWN = 8
const MAX_WORDS = 60

export interface Ranked {
  of: number
  /** Of the edited one, from 1; null: nothing of the message is in it. */
  place: number | null
  skills: RankedSkill[]
}

/**
 * Which skills a message finds, by the very function that chooses when the catalogue is cut (R3). It is not what a
 * model would do, which reads descriptions and not words.
 */
export function rankFor(entries: readonly SkillEntry[], message: string, typed: TypedWords): Ranked {
  const others = entries.filter(
    ({ record, status }) =>
      status === 'effective' && !record.disableModelInvocation && record.key !== typed.key,
  )
  const texts: RelevantText[] = [typed, ...others.map(({ record }) => record)]
  const relevance = createRelevance(texts)
  const scores = relevance.score(message)
  const words = [...new Set(message.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])].slice(0, MAX_WORDS)
  const byWord = words.map((word) => ({ word, scores: relevance.score(word) }))
  const order = texts
    .map((_, at) => at)
    .filter((at) => scores[at]! > 0)
    .sort((a, b) => scores[b]! - scores[a]! || (texts[a]!.name < texts[b]!.name ? -1 : 1))
  const place = order.indexOf(0) + 1
  const shown = order.slice(0, SHOWN)
  if (!shown.includes(0)) shown.push(0)
  return {
    of: texts.length,
    place: place === 0 ? null : place,
    skills: shown.map((at) => ({
      key: at === 0 ? typed.key : others[at - 1]!.record.key,
      name: texts[at]!.name,
      score: scores[at]!,
      words: byWord
        .filter((one) => one.scores[at]! > 0)
        .sort((a, b) => b.scores[at]! - a.scores[at]!)
        .map(({ word }) => word),
      isOwn: at === 0,
    })),
  }
}
