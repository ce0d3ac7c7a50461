import { foldText, isAscii } from '@shared/fold-text'

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
interface Posting {
  places: number[]
  counts: number[]
}
type Postings = Map<string, Posting>

/** Returns the weighted number of words. */
function addText(postings: Postings, { name, description, tags = [] }: RelevantText, at: number): number {
  return (
    addWords(postings, at, wordsOf(name), WEIGHT.name) +
    (tags.length === 0 ? 0 : addWords(postings, at, wordsOf(tags.join(' ')), WEIGHT.tags)) +
    addWords(postings, at, wordsOf(description), WEIGHT.description)
  )
}

function addWords(postings: Postings, at: number, words: readonly string[], weight: number): number {
  for (const word of words) {
    const found = postings.get(word)
    if (!found) postings.set(word, { places: [at], counts: [weight] })
    else if (found.places[found.places.length - 1] === at) found.counts[found.counts.length - 1]! += weight
    else {
      found.places.push(at)
      found.counts.push(weight)
    }
  }
  return words.length * weight
}

const WORD = /[\p{L}\p{N}]+/gu
/** The same where there is nothing but ASCII, as in most of thousands of descriptions: many times as fast. */
const ASCII_WORD = /[a-z0-9]{2,}/g
/** Scripts without blanks between words: pairs of characters stand for words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** Folded words of two letters or more, a plural `s` taken off. */
function wordsOf(text: string): string[] {
  if (isAscii(text)) return (text.toLowerCase().match(ASCII_WORD) ?? []).map(singular)
  return (foldText(text.normalize('NFC')).match(WORD) ?? []).flatMap((word) => {
    if (UNSPACED.test(word)) return pairsOf(word)
    return word.length < 2 ? [] : [singular(word)]
  })
}

const S = 115

function singular(word: string): string {
  const last = word.length - 1
  const isPlural = last > 2 && word.charCodeAt(last) === S && word.charCodeAt(last - 1) !== S
  return isPlural ? word.slice(0, last) : word
}

function pairsOf(word: string): string[] {
  const characters = Array.from(word)
  if (characters.length < 3) return [word]
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}
