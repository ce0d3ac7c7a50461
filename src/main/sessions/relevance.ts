import { foldText } from '@shared/fold-text'

/** What a skill is found by. */
export interface RelevantText {
  name: string
  description: string
  tags?: readonly string[] | undefined
}

/** Finds skills by words, best match first. Built once for a list of skills and asked often. */
export interface Relevance {
  /** A score for each place of the list: how well it fits the words of a text (BM25), 0 for not at all. */
  score(text: string): Float64Array
}

/** Longer messages are judged by their start. */
const MAX_QUERY = 4000
/** A word in a name counts more than one in a description. */
const WEIGHT = { name: 3, tags: 2, description: 1 }
const K1 = 1.2
const B = 0.75

/** Name, tags and description of each skill; pure, no index on disk. */
export function createRelevance(texts: readonly RelevantText[]): Relevance {
  const postings: Postings = new Map()
  const lengths = texts.map((text, at) => addText(postings, text, at))
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1
  const norms = Float64Array.from(lengths, (length) => K1 * (1 - B + (B * length) / mean))
  return {
    score(query) {
      const scores = new Float64Array(texts.length)
      for (const word of new Set(wordsOf(query.slice(0, MAX_QUERY)))) {
        const found = postings.get(word)
        if (!found) continue
        const rarity = Math.log(1 + (texts.length - found.places.length + 0.5) / (found.places.length + 0.5))
        found.places.forEach((at, n) => {
          const count = found.counts[n]!
          scores[at]! += (rarity * count * (K1 + 1)) / (count + norms[at]!)
        })
      }
      return scores
    },
  }
}

/** Where a word occurs: places in the list, and how often in each, weighted. */
type Postings = Map<string, { places: number[]; counts: number[] }>

/** Returns the weighted number of words. */
function addText(postings: Postings, { name, description, tags = [] }: RelevantText, at: number): number {
  const add = (text: string, weight: number) => {
    const words = wordsOf(text)
    for (const word of words) {
      const found = postings.get(word) ?? { places: [], counts: [] }
      if (found.places.at(-1) !== at) {
        found.places.push(at)
        found.counts.push(0)
      }
      found.counts[found.counts.length - 1]! += weight
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
