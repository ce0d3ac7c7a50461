import type { Connection } from '../db/open'
import { openWordIndex } from './word-index'
import type { WordIndex, Words } from './word-index'

/** What names, tags and descriptions are asked with, kept in the file so that a first query reads few of them. */
export interface KeptWords {
  /** Ids of all rows, sorted by `byWords`: the rows of `index` are in this order. */
  ids: Uint32Array
  index: WordIndex
}

/** Those of this generation of the index; null where none are kept, or those of an earlier one. */
export function readKeptWords(sql: Connection, generation: number): KeptWords | null {
  const row = sql
    .prepare('SELECT ids, text, starts, ends, rows FROM kept_words WHERE generation = ?')
    .get(generation) as KeptRow | undefined
  if (!row) return null
  const { ids, text, starts, ends, rows } = row
  const words = { text, starts: numbersOf(starts), ends: numbersOf(ends), rows: numbersOf(rows) }
  const known = numbersOf(ids)
  return { ids: known, index: openWordIndex(words, known.length) }
}

/** Keeps them in place of others, unless somebody wrote since that generation. They can be left out at any time. */
export function keepWords(sql: Connection, generation: number, kept: { ids: number[]; words: Words }): void {
  const { ids, words } = kept
  const keep = sql.transaction(() => {
    const now = sql.prepare('SELECT generation FROM search_state').pluck().get()
    if (now !== generation) return
    sql.prepare('DELETE FROM kept_words').run()
    sql
      .prepare('INSERT INTO kept_words (generation, ids, text, starts, ends, rows) VALUES (?, ?, ?, ?, ?, ?)')
      .run(
        generation,
        bytesOf(Uint32Array.from(ids)),
        words.text,
        ...[words.starts, words.ends, words.rows].map(bytesOf),
      )
  })
  keep.immediate()
}

/** True where those of this generation are kept already. */
export function hasKeptWords(sql: Connection, generation: number): boolean {
  return sql.prepare('SELECT 1 FROM kept_words WHERE generation = ?').get(generation) !== undefined
}

interface KeptRow {
  ids: Buffer
  text: string
  starts: Buffer
  ends: Buffer
  rows: Buffer
}

function bytesOf(numbers: Uint32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** In place where the bytes lie at a whole number of four, as they nearly always do. */
function numbersOf(bytes: Buffer): Uint32Array {
  const { buffer, byteOffset } = byteOffset4(bytes) ? bytes : Uint8Array.from(bytes)
  return new Uint32Array(buffer, byteOffset, bytes.length / 4)
}

function byteOffset4({ byteOffset }: Buffer): boolean {
  return byteOffset % 4 === 0
}
