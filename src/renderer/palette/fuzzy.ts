/** How well a name fits, and which of its letters were found. The higher, the better. */
export interface Match {
  score: number
  /** Places of the letters, rising. */
  at: readonly number[]
}

const START = 100
const WORD = 80
const INSIDE = 60
const SCATTERED = 20

/**
 * One typed word in a name: as it stands at the start, at the start of a word, somewhere inside, or, from two letters on,
 * its letters in their order. Null: not at all. Without case.
 */
export function fuzzyWord(name: string, typed: string): Match | null {
  const text = name.toLowerCase()
  const word = typed.toLowerCase()
  if (word === '') return { score: 0, at: [] }
  const found = bestPlace(text, word)
  if (found >= 0) {
    const base = found === 0 ? START : startsWord(text, found) ? WORD : INSIDE
    const closeness = Math.round((10 * word.length) / text.length)
    return { score: base + closeness, at: Array.from(word, (_letter, n) => found + n) }
  }
  return word.length < 2 ? null : scattered(text, word)
}

/** All typed words, each in the name or, for less, in what stands beside it. */
export function fuzzyMatch(name: string, beside: string, typed: readonly string[]): Match | null {
  let score = 0
  const at = new Set<number>()
  for (const word of typed) {
    const match = fuzzyWord(name, word)
    if (match) {
      score += match.score
      for (const place of match.at) at.add(place)
    } else if (beside.toLowerCase().includes(word.toLowerCase())) score += SCATTERED / 2
    else return null
  }
  return { score, at: [...at].sort((a, b) => a - b) }
}

/** The start of a word rather than its middle. */
function bestPlace(text: string, word: string): number {
  const first = text.indexOf(word)
  for (let place = first; place >= 0; place = text.indexOf(word, place + 1)) {
    if (place === 0 || startsWord(text, place)) return place
  }
  return first
}

function startsWord(text: string, place: number): boolean {
  return /[\s\-_/.:]/.test(text[place - 1] ?? ' ')
}

function scattered(text: string, word: string): Match | null {
  const at: number[] = []
  for (const letter of word) {
    const place = text.indexOf(letter, (at.at(-1) ?? -1) + 1)
    if (place < 0) return null
    at.push(place)
  }
  const gaps = at.at(-1)! - at[0]! + 1 - word.length
  return gaps > 2 * word.length ? null : { score: SCATTERED - gaps, at }
}
