/** What a word of a row must have in it. */
export interface WordPart {
  text: string
  /** At the start of the word. */
  atStart: boolean
}

/** Which rows hold which words: a search reads some thousand words instead of the texts of all rows. */
export interface WordIndex {
  /** To be kept, and read again by `openWordIndex`. */
  words: Words
  /** A 1 for each row that may have all parts; every row that has them is among those. */
  rowsWith(parts: readonly WordPart[]): Uint8Array
}

/** `texts` are the rows in their order, words in them after spaces and line ends (`metaText`). */
export function createWordIndex(texts: readonly string[]): WordIndex {
  return openWordIndex(layOut(collect(texts)), texts.length)
}

/** Of so many rows. */
export function openWordIndex(words: Words, count: number): WordIndex {
  return {
    words,
    rowsWith(parts) {
      const marks = new Uint8Array(count)
      const found = parts.map((part) => wordsWith(words, part))
      const [rarest = []] = found.toSorted((a, b) => rowCount(words, a) - rowCount(words, b))
      for (const word of rarest) {
        for (let at = words.ends[word]!; at < words.ends[word + 1]!; at++) marks[words.rows[at]!] = 1
      }
      return marks
    },
  }
}

/** The words of all rows and where they are. */
export interface Words {
  /** All words, each after a line end. */
  text: string
  /** Where each word starts in `text`, and where the last one ends. */
  starts: Uint32Array
  /** The rows of one word after those of another; those of word n are from `ends[n]` to `ends[n + 1]`. */
  rows: Uint32Array
  ends: Uint32Array
}

const SPACE = 32

/** The places of the rows of each word. */
function collect(texts: readonly string[]): Map<string, number[]> {
  const words = new Map<string, number[]>()
  for (const [row, text] of texts.entries()) {
    let start = 0
    for (let at = 0; at <= text.length; at++) {
      if (at < text.length && text.charCodeAt(at) > SPACE) continue
      if (at > start) add(words, text.slice(start, at), row)
      start = at + 1
    }
  }
  return words
}

function add(words: Map<string, number[]>, word: string, row: number): void {
  const rows = words.get(word)
  if (!rows) words.set(word, [row])
  else if (rows.at(-1) !== row) rows.push(row)
}

function layOut(words: ReadonlyMap<string, readonly number[]>): Words {
  const starts = new Uint32Array(words.size + 1)
  const ends = new Uint32Array(words.size + 1)
  let place = 1
  let number = 0
  for (const [word, rows] of words) {
    starts[number] = place
    ends[number + 1] = ends[number]! + rows.length
    place += word.length + 1
    number += 1
  }
  starts[number] = place
  const rows = new Uint32Array(ends[number]!)
  number = 0
  for (const list of words.values()) rows.set(list, ends[number++])
  return { text: `\n${[...words.keys()].join('\n')}`, starts, rows, ends }
}

/** Numbers of the words that have a part. */
function wordsWith({ text, starts }: Words, { text: part, atStart }: WordPart): number[] {
  const found: number[] = []
  const needle = atStart ? `\n${part}` : part
  let word = 0
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, starts[word]! - 1)) {
    word = wordAt(starts, atStart ? at + 1 : at)
    found.push(word)
    word += 1
  }
  return found
}

/** The word that a place of the text is in. */
function wordAt(starts: Uint32Array, place: number): number {
  let low = 0
  let high = starts.length - 1
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= place) low = middle
    else high = middle
  }
  return low
}

function rowCount({ ends }: Words, words: readonly number[]): number {
  return words.reduce((sum, word) => sum + ends[word + 1]! - ends[word]!, 0)
}
