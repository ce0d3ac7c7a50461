/** A text to be compared, with whatever identifies it. */
export interface Described {
  key: string
  description: string
}

/**
 * Two descriptions are nearly equal from this share on: the weights of the words they have in common over the weights
 * of all their words, where a word weighs the more the fewer descriptions hold it. So "Automates Gmail …" and
 * "Automates Slack …" of a hundred such skills stay apart, as the one rare word decides.
 */
export const NEARLY_EQUAL = 0.8
/** Sums of logarithms differ by the order of their parts. */
const ROUNDING = 1e-9
/**
 * Others that one description is compared with, and texts remembered for one word: keeps a flood cheap. A pair can be
 * missed only when all its rarest words stand in more texts than that.
 */
const MAX_COMPARED = 64
/** Others that are told of one description. */
const MAX_ALIKE = 8

interface Bag {
  keys: string[]
  /** Rarest first. */
  words: string[]
  total: number
}

/**
 * For each text the keys of others that say nearly the same, at most eight. Works on an inverted index over the rarest
 * words of each text: a pair above the threshold shares at least one of them.
 */
export function nearlyEqual(items: readonly Described[]): Map<string, string[]> {
  const bags = group(items)
  const weight = weigh(bags)
  for (const bag of bags) {
    bag.words.sort((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1))
    bag.total = sum(bag.words, weight)
  }
  const pairs = new Map<string, string[]>()
  for (const { keys } of bags) linkAll(pairs, keys)
  linkNear(bags, weight, pairs)
  return pairs
}

/** Texts with the same words are one bag. */
function group(items: readonly Described[]): Bag[] {
  const bags = new Map<string, Bag>()
  for (const { key, description } of items) {
    const words = [...new Set(wordsOf(description))].sort()
    if (words.length === 0) continue
    const id = words.join(' ')
    const bag = bags.get(id)
    if (bag) bag.keys.push(key)
    else bags.set(id, { keys: [key], words, total: 0 })
  }
  return [...bags.values()]
}

const MAX_CHARACTERS = 1500
const FILLERS = new Set(
  'a an and any are as at be by for from in into is it its of on or that the this to use used uses using with when you your skill'.split(
    ' ',
  ),
)
const SPACELESS = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]`
const RUN = new RegExp(`(${SPACELESS}+)|(?:(?!${SPACELESS})[\\p{L}\\p{M}\\p{N}])+`, 'gu')

/** Lower case, without plural s and words that are in every description; pairs of signs where words have no spaces. */
function wordsOf(text: string): string[] {
  const plain = text.slice(0, MAX_CHARACTERS).normalize('NFKC').toLowerCase()
  return [...plain.matchAll(RUN)].flatMap(([run, signs]) => {
    if (signs !== undefined) return pairsOf(signs)
    return FILLERS.has(run) ? [] : [run.length > 3 ? run.replace(/(?<!s)s$/, '') : run]
  })
}

function pairsOf(run: string): string[] {
  const signs = Array.from(run)
  return signs.length < 2 ? signs : signs.slice(1).map((sign, index) => signs[index]! + sign)
}

type Weight = (word: string) => number

function weigh(bags: readonly Bag[]): Weight {
  const weights = new Map<string, number>()
  for (const { words } of bags) for (const word of words) weights.set(word, (weights.get(word) ?? 0) + 1)
  for (const [word, holders] of weights) weights.set(word, Math.log(1 + bags.length / holders))
  return (word) => weights.get(word) ?? 0
}

function sum(words: readonly string[], weight: Weight): number {
  return words.reduce((total, word) => total + weight(word), 0)
}

function linkNear(bags: readonly Bag[], weight: Weight, pairs: Map<string, string[]>): void {
  const index = new Map<string, number[]>()
  bags.forEach((bag, at) => {
    const prefix = prefixOf(bag, weight)
    const words = new Set(bag.words)
    for (const other of candidates(index, prefix)) {
      const near = bags[other]!
      const shared = sum(near.words, (word) => (words.has(word) ? weight(word) : 0))
      if (shared / (bag.total + near.total - shared) >= NEARLY_EQUAL - ROUNDING)
        linkAll(pairs, [bag.keys[0]!, near.keys[0]!])
    }
    for (const word of prefix) {
      const holders = index.get(word) ?? []
      if (holders.length < MAX_COMPARED) index.set(word, [...holders, at])
    }
  })
}

/** As many of the rarest words as a near-equal text can't all be without. */
function prefixOf({ words, total }: Bag, weight: Weight): string[] {
  let rest = total
  const end = words.findIndex((word) => {
    rest -= weight(word)
    return rest < NEARLY_EQUAL * total - ROUNDING
  })
  return words.slice(0, end + 1)
}

function candidates(index: ReadonlyMap<string, readonly number[]>, prefix: readonly string[]): Set<number> {
  const found = new Set<number>()
  for (const word of prefix) {
    for (const other of index.get(word) ?? []) {
      if (found.size >= MAX_COMPARED) return found
      found.add(other)
    }
  }
  return found
}

function linkAll(pairs: Map<string, string[]>, keys: readonly string[]): void {
  for (const [at, key] of keys.entries()) {
    const known = pairs.get(key) ?? []
    const others = keys
      .slice(Math.max(0, at - MAX_ALIKE), at + MAX_ALIKE + 1)
      .filter((other) => other !== key)
    const added = [...new Set([...known, ...others])].slice(0, MAX_ALIKE)
    if (added.length > 0) pairs.set(key, added)
  }
}
