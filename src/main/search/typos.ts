import { nearness, letterMask } from './edit-distance'
import { byWords } from './row-order'
import type { MetaRow } from './row-order'
import type { Term } from './search-words'

export interface TypoHit {
  row: MetaRow
  /** Sum of the distances of its words from what was typed. */
  distance: number
  /** The words that were meant. */
  meant: string[]
}

/** The words of all names and tags, with the rows that hold them. */
export interface Vocabulary {
  find(terms: readonly Term[], limit: number): TypoHit[]
}

interface Word {
  text: string
  mask: number
  /** Places in the list of rows. */
  rows: number[]
}

/** The nearest word to a term that a row holds. */
interface Near {
  distance: number
  word: string
}

/** Nearest words looked at for one term. */
const MAX_WORDS = 40

export function createVocabulary(rows: readonly MetaRow[]): Vocabulary {
  const words = [...collect(rows).values()]
  return { find: (terms, limit) => find(rows, words, terms, limit) }
}

/** Words of names and tags, and names written as one word: `pdfforms` is near to `pdf-forms`. */
function collect(rows: readonly MetaRow[]): Map<string, Word> {
  const words = new Map<string, Word>()
  const add = (text: string, at: number) => {
    const known = words.get(text)
    if (!known) words.set(text, { text, mask: letterMask(text), rows: [at] })
    else if (known.rows.at(-1) !== at) known.rows.push(at)
  }
  for (const [at, { text }] of rows.entries()) {
    const nameEnd = text.indexOf('\n')
    const name = text.slice(1, nameEnd).split(' ')
    for (const word of name) add(word, at)
    if (name.length > 1) add(name.join(''), at)
    const tags = text.slice(nameEnd + 2, text.indexOf('\n', nameEnd + 1))
    if (tags !== '') for (const tag of tags.split(' ')) add(tag, at)
  }
  return words
}

function find(
  rows: readonly MetaRow[],
  words: readonly Word[],
  terms: readonly Term[],
  limit: number,
): TypoHit[] {
  const last = terms.length - 1
  const near = terms.map((term, at) => nearRows(words, term, term.open && at === last))
  const candidates = new Set(near.flatMap((each) => [...each.keys()]))
  const hits: TypoHit[] = []
  for (const at of candidates) {
    const row = rows[at]!
    const found = terms.map((term, index) => near[index]!.get(at) ?? exactly(row, term))
    if (found.some((each) => each === null)) continue
    const sure = found as Near[]
    const distance = sure.reduce((sum, each) => sum + each.distance, 0)
    hits.push({ row, distance, meant: sure.map(({ word }) => word) })
  }
  return hits.sort((a, b) => a.distance - b.distance || byWords(a.row, b.row)).slice(0, limit)
}

/** A term that is spelled as somewhere in the row, its description included. */
function exactly({ text }: MetaRow, { tokens }: Term): Near | null {
  const whole = tokens.join(' ')
  return text.includes(` ${whole}`) ? { distance: 0, word: whole } : null
}

/** Rows with a word near to the term, by their place, each with the nearest. */
function nearRows(words: readonly Word[], term: Term, open: boolean): Map<number, Near> {
  const found = new Map<number, Near>()
  for (const { word, distance } of nearWords(words, term, open)) {
    for (const at of word.rows) {
      if ((found.get(at)?.distance ?? Infinity) > distance) found.set(at, { distance, word: word.text })
    }
  }
  return found
}

function nearWords(
  words: readonly Word[],
  { tokens }: Term,
  open: boolean,
): { word: Word; distance: number }[] {
  const token = tokens.join('')
  const mask = letterMask(token)
  const near: { word: Word; distance: number }[] = []
  for (const word of words) {
    const distance = nearness({ text: token, mask, open }, word)
    if (distance !== null) near.push({ word, distance })
  }
  return near
    .sort((a, b) => a.distance - b.distance || (a.word.text < b.word.text ? -1 : 1))
    .slice(0, MAX_WORDS)
}
