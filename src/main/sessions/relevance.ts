import { foldText } from '@shared/fold-text'

/** What a skill is found by. */
export interface RelevantText {
  name: string
  description: string
  tags?: readonly string[] | undefined
}

/** Finds skills by words, best match first. Built once for a list of skills and asked often. */
export interface Relevance {
  /** Scores above 0 by place in the list: how well each fits the words of a text (BM25). */
  score(text: string): ReadonlyMap<number, number>
}

/** Longer messages are judged by their start. */
const MAX_QUERY = 4000
/** A word in a name counts more than one in a description. */
const WEIGHT = { name: 3, tags: 2, description: 1 }
const K1 = 1.2
const B = 0.75

/** Name, tags and description of each skill; pure, no index on disk. */
export function createRelevance(texts: readonly RelevantText[]): Relevance {
  const postings = new Map<string, Map<number, number>>()
  const lengths = texts.map((text, at) => addText(postings, text, at))
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1
  return {
    score(query) {
      const scores = new Map<number, number>()
      for (const word of new Set(wordsOf(query.slice(0, MAX_QUERY)))) {
        const found = postings.get(word)
        if (!found) continue
        const rarity = Math.log(1 + (texts.length - found.size + 0.5) / (found.size + 0.5))
        for (const [at, count] of found) {
          const norm = K1 * (1 - B + (B * lengths[at]!) / mean)
          scores.set(at, (scores.get(at) ?? 0) + (rarity * count * (K1 + 1)) / (count + norm))
        }
      }
      return scores
    },
  }
}

type Postings = Map<string, Map<number, number>>

/** Returns the weighted number of words. */
function addText(postings: Postings, { name, description, tags = [] }: RelevantText, at: number): number {
  const add = (text: string, weight: number) => {
    const words = wordsOf(text)
    for (const word of words) {
      const found = postings.get(word) ?? new Map<number, number>()
      found.set(at, (found.get(at) ?? 0) + weight)
      postings.set(word, found)
    }
    return words.length * weight
  }
  return add(name, WEIGHT.name) + add(tags.join(' '), WEIGHT.tags) + add(description, WEIGHT.description)
}

const WORD = /[\p{L}\p{N}]+/gu
/** Scripts without blanks between words: pairs of characters stand for words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** Folded words of two letters or more, a plural `s` taken off. */
function wordsOf(text: string): string[] {
  return (foldText(text.normalize('NFC')).match(WORD) ?? []).flatMap((word) => {
    if (UNSPACED.test(word)) return pairsOf(word)
    return word.length < 2 ? [] : [word.length > 3 ? word.replace(/([^s])s$/, '$1') : word]
  })
}

function pairsOf(word: string): string[] {
  const characters = Array.from(word)
  if (characters.length < 3) return [word]
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}
