import { setImmediate } from 'node:timers/promises'
import { foldText, isAscii } from '@shared/fold-text'

/** What a skill is found by. */
export interface RelevantText {
  name: string
  description: string
  tags?: readonly string[] | undefined
}

/** Finds skills by words, best match first. Asked often. */
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

/** Milliseconds after which other work is let in. */
const SLICE_MS = 2

/** Name, tags and description of each skill; no index on disk. */
export function createRelevance(texts: readonly RelevantText[]): Relevance {
  forgetTooMany()
  const words: Words = { all: texts.map(countsOf), numbers, found: new Map(), size: 0 }
  const { all } = words
  const mean = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length) || 1
  const normOf = (at: number) => K1 * (1 - B + (B * all[at]!.length) / mean)
  return {
    score(query) {
      const scores = new Float64Array(all.length)
      for (const { places, counts } of findAll(words, wordsOf(query.slice(0, MAX_QUERY)))) {
        const rarity = Math.log(1 + (all.length - places.length + 0.5) / (places.length + 0.5))
        places.forEach((at, n) => {
          const count = counts[n]!
          scores[at]! += (rarity * count * (K1 + 1)) / (count + normOf(at))
        })
      }
      return scores
    },
  }
}

/**
 * Counts the words of these skills while nobody waits, a few milliseconds at a time, so that the first question about
 * thousands of them is answered at once. A later call takes its place.
 */
export async function warmRelevance(texts: readonly RelevantText[]): Promise<void> {
  const own = ++warming
  let since = performance.now()
  for (const text of texts) {
    countsOf(text)
    if (performance.now() - since < SLICE_MS) continue
    await setImmediate()
    if (warming !== own) return
    since = performance.now()
  }
}

let warming = 0

/** The words of one skill. */
interface Counts {
  /** Number of the word, and behind it how often it occurs, weighted. */
  words: Uint32Array
  /** Weighted number of words. */
  length: number
}

/** Counted once for each skill, whatever lists it is in. */
let counted = new WeakMap<RelevantText, Counts>()
let numbers = new Map<string, number>()
/** Words of skills that are long gone are forgotten with all others. */
const MAX_WORDS = 500_000

function countsOf(text: RelevantText): Counts {
  const known = counted.get(text)
  if (known) return known
  const counts = count(text)
  counted.set(text, counts)
  return counts
}

function forgetTooMany(): void {
  if (numbers.size < MAX_WORDS) return
  counted = new WeakMap()
  numbers = new Map()
}

function count({ name, description, tags = [] }: RelevantText): Counts {
  const found = new Map<number, number>()
  let length = addWords(found, wordsOf(name), WEIGHT.name)
  if (tags.length > 0) length += addWords(found, wordsOf(tags.join(' ')), WEIGHT.tags)
  length += addWords(found, wordsOf(description), WEIGHT.description)
  const words = new Uint32Array(2 * found.size)
  let at = 0
  for (const [word, times] of found) {
    words[at++] = word
    words[at++] = times
  }
  return { words, length }
}

function addWords(found: Map<number, number>, words: readonly string[], weight: number): number {
  for (const word of words) {
    let number = numbers.get(word)
    if (number === undefined) numbers.set(word, (number = numbers.size))
    found.set(number, (found.get(number) ?? 0) + weight)
  }
  return words.length * weight
}

/** Where a word of the question occurs: places in the list, and how often in each, weighted. */
interface Posting {
  places: number[]
  counts: number[]
}

/** The words of a list of skills. */
interface Words {
  all: readonly Counts[]
  numbers: ReadonlyMap<string, number>
  /** Words that were asked for before: a chat asks for the same ones again and again. */
  found: Map<number, Posting>
  /** Places in them. */
  size: number
}

/** Then what was found is forgotten: 1 to 2 MB. */
const MAX_PLACES = 100_000

/** Of each word that occurs, in the order of the question. */
function findAll(words: Words, asked: readonly string[]): Posting[] {
  const numbers = new Set(asked.flatMap((word) => words.numbers.get(word) ?? []))
  const missing = [...numbers].filter((number) => !words.found.has(number))
  const found = missing.length > 0 ? lookFor(words, missing) : new Map<number, Posting>()
  const all = [...numbers].flatMap((number) => found.get(number) ?? words.found.get(number) ?? [])
  for (const [number, posting] of found) keep(words, number, posting)
  return all.filter(({ places }) => places.length > 0)
}

function lookFor({ all, numbers }: Words, missing: readonly number[]): Map<number, Posting> {
  const found = new Map(missing.map((number): [number, Posting] => [number, { places: [], counts: [] }]))
  const asked = new Uint8Array(numbers.size)
  for (const number of missing) asked[number] = 1
  for (let at = 0; at < all.length; at++) {
    const { words: own } = all[at]!
    for (let n = 0; n < own.length; n += 2) {
      if (asked[own[n]!] === 1) {
        const { places, counts } = found.get(own[n]!)!
        places.push(at)
        counts.push(own[n + 1]!)
      }
    }
  }
  return found
}

function keep(words: Words, number: number, posting: Posting): void {
  if (words.size > MAX_PLACES) {
    words.found.clear()
    words.size = 0
  }
  words.found.set(number, posting)
  words.size += posting.places.length + 1
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
