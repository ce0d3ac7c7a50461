/** A word that was typed; `open`: more of it may come. */
export interface Typed {
  text: string
  mask: number
  open: boolean
}

/** Longer words are not compared. */
const MAX_LENGTH = 40
/** From this length on an unfinished word may be near to the start of a longer one. */
const MIN_OPEN = 5
/** An unfinished word counts a little less than a whole one. */
const UNFINISHED = 0.5

/** One bit for each letter a to z, one for each pair of digits, one for the rest: a quick look before the slow one. */
export function letterMask(text: string): number {
  let mask = 0
  for (let at = 0; at < text.length; at++) mask |= 1 << bitOf(text.charCodeAt(at))
  return mask
}

/**
 * How far a known word is from what was typed, null when too far. Allowed: one change in 4 or 5 letters, two in longer
 * words (then the first letter must be right, or swapped with the second); in 3 letters only two neighbours swapped.
 */
export function nearness(typed: Typed, word: { text: string; mask: number }): number | null {
  const limit = allowed(typed.text.length)
  if (limit === 0 || typed.text.length > MAX_LENGTH || word.text.length > MAX_LENGTH) return null
  const whole = wholeDistance(typed, word, limit)
  if (whole !== null) return whole
  if (!typed.open || typed.text.length < MIN_OPEN || word.text.length <= typed.text.length) return null
  const few = typed.text.length < 8 ? 1 : 2
  if (bits(typed.mask & ~word.mask) > few) return null
  const start = distance(typed.text, word.text, few, true)
  return start <= few && plausible(typed.text, word.text, start) ? start + UNFINISHED : null
}

/**
 * Changes that make one text the other: a letter more, less or another, or two neighbours swapped, no letter changed
 * twice (optimal string alignment). Stops at `limit` and says `limit + 1`. With `prefix`: to the nearest start of `b`.
 */
export function distance(a: string, b: string, limit: number, prefix = false): number {
  const width = Math.min(b.length, a.length + limit)
  if (!prefix && width < b.length) return limit + 1
  let [before, last, row] = ROWS.map((each) =>
    each.length > width ? each : new Uint8Array(width + 1),
  ) as Rows
  for (let j = 0; j <= width; j++) last[j] = j
  for (let i = 1; i <= a.length; i++) {
    if (fillRow(a, b, i, { before, last, row, width }) > limit) return limit + 1
    ;[before, last, row] = [last, row, before]
  }
  if (!prefix) return Math.min(limit + 1, last[width]!)
  let best = limit + 1
  for (let j = 0; j <= width; j++) best = Math.min(best, last[j]!)
  return best
}

type Rows = [Uint8Array, Uint8Array, Uint8Array]

/** Used again for every pair: nothing waits between two of them. */
const ROWS: Rows = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)]

interface Table {
  before: Uint8Array
  last: Uint8Array
  row: Uint8Array
  width: number
}

/** One row of the table of distances between the starts of both texts; gives the smallest of it. */
function fillRow(a: string, b: string, i: number, { before, last, row, width }: Table): number {
  row[0] = i
  let best = i
  for (let j = 1; j <= width; j++) {
    const change = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1
    let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + change)
    if (i > 1 && j > 1 && change > 0 && swapped(a, b, i, j)) cost = Math.min(cost, before[j - 2]! + 1)
    row[j] = cost
    if (cost < best) best = cost
  }
  return best
}

function wholeDistance(typed: Typed, word: { text: string; mask: number }, limit: number): number | null {
  if (Math.abs(typed.text.length - word.text.length) > limit) return null
  if (bits(typed.mask ^ word.mask) > 2 * limit) return null
  const result = distance(typed.text, word.text, limit)
  if (result > limit || !plausible(typed.text, word.text, result)) return null
  if (typed.text.length > 3 || result === 0) return result
  return word.text.length === 3 && typed.mask === word.mask ? result : null
}

function allowed(length: number): number {
  if (length < 3) return 0
  return length < 6 ? 1 : 2
}

/** Two changes and another first letter make another word, not a slip. */
function plausible(typed: string, word: string, changes: number): boolean {
  return changes < 2 || typed[0] === word[0] || (typed[0] === word[1] && typed[1] === word[0])
}

function swapped(a: string, b: string, i: number, j: number): boolean {
  return a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
}

function bitOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 97
  return code >= 48 && code <= 57 ? 26 + ((code - 48) >> 1) : 31
}

function bits(mask: number): number {
  let rest = mask - ((mask >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
