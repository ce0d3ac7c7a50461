import type { Connection } from '../db/open'
import { lazyStatement } from '../db/prepared'
import type { KeptWords } from './kept-words'
import { createNameMatch, neededText, partOf } from './name-match'
import type { NameMatch, Names, TermHit } from './name-match'
import type { MetaRow } from './row-order'
import type { Term } from './search-words'

export const NAME_COLUMNS = 'id, key, text'
export type NameColumns = [id: number, key: string, text: string]

export function toRow([id, key, text]: NameColumns): MetaRow {
  return { id, key, text }
}

export interface ColdNamesDeps {
  sql: Connection
  /** Words kept in the file; null where there are none of the present rows. */
  kept(): KeptWords | null
  /** Asked where only all rows know the answer. */
  load(): NameMatch
}

/**
 * Answers as the rows in memory would, from the file: for the first query of a process, which would wait for all of them
 * (performance.md G3.3).
 */
export function createColdNames({ sql, kept, load }: ColdNamesDeps): Names {
  const cold: Cold = { sql, kept, known: new Map(), some: lazyStatement(sql, SOME, 'arrays') }
  return {
    get(id) {
      if (!cold.known.has(id)) read(cold, [id])
      return cold.known.get(id)
    },
    expect: (ids) => read(cold, ids),
    find: (terms, limit) => (terms.length === 0 ? [] : matchOf(mayHold(cold, terms)).find(terms, limit)),
    byTerms: (ids, terms, limit) =>
      bestByWords(cold, ids, { terms, limit }) ?? matchOf(read(cold, ids)).byTerms(ids, terms, limit),
    findNear: (terms, limit) => load().findNear(terms, limit),
  }
}

const SOME = `SELECT ${NAME_COLUMNS} FROM docs WHERE id IN (SELECT value FROM json_each(?))`
/** Where more of the rows than one in so many may hold the terms, looking at all is faster than asking for those. */
const FEW = 8

interface Cold extends Omit<ColdNamesDeps, 'load'> {
  /** What was read; undefined for what is gone. */
  known: Map<number, MetaRow | undefined>
  some: ReturnType<typeof lazyStatement>
}

/** Those that there are, in no order. */
function read({ known, some }: Cold, ids: readonly number[]): MetaRow[] {
  const missing = ids.filter((id) => !known.has(id))
  for (const id of missing) known.set(id, undefined)
  if (missing.length > 0) {
    for (const columns of some().all(JSON.stringify(missing)) as NameColumns[])
      known.set(columns[0], toRow(columns))
  }
  return ids.map((id) => known.get(id)).filter((row) => row !== undefined)
}

/** Every row that holds the terms, and maybe others. */
function mayHold(cold: Cold, terms: readonly Term[]): MetaRow[] {
  const kept = cold.kept()
  if (kept) {
    const ids = idsOf(kept, kept.index.rowsWith(terms.map(partOf)))
    if (ids.length * FEW <= kept.ids.length) return read(cold, ids)
  }
  // Faster than instr(); terms hold no wildcards, and the texts are folded already.
  const where = terms.map(() => 'text LIKE ?').join(' AND ')
  const rows = cold.sql.prepare(`SELECT ${NAME_COLUMNS} FROM docs WHERE ${where}`).raw()
  return (rows.all(...terms.map((term) => `%${neededText(term)}%`)) as NameColumns[]).map(toRow)
}

function matchOf(rows: readonly MetaRow[]): NameMatch {
  const names = createNameMatch()
  names.put(rows)
  return names
}

function idsOf({ ids }: KeptWords, marks: Uint8Array): number[] {
  const found: number[] = []
  for (let at = marks.indexOf(1); at >= 0; at = marks.indexOf(1, at + 1)) found.push(ids[at]!)
  return found
}

/** By the words that are kept, of which each must be a term; null where they can't say it. */
function bestByWords(
  cold: Cold,
  ids: readonly number[],
  { terms, limit }: { terms: readonly Term[]; limit: number },
): TermHit[] | null {
  const kept = cold.kept()
  if (!kept || terms.some(({ tokens }) => tokens.length > 1)) return null
  const held = heldCounts(kept, ids, terms)
  const best: { id: number; held: number }[] = []
  for (let count = terms.length; count >= 0; count--) {
    for (
      let at = held.indexOf(count + 1);
      at >= 0 && best.length < limit;
      at = held.indexOf(count + 1, at + 1)
    ) {
      best.push({ id: kept.ids[at]!, held: count })
    }
  }
  const rows = new Map(
    read(
      cold,
      best.map(({ id }) => id),
    ).map((row) => [row.id, row]),
  )
  return best.flatMap(({ id, held: count }) => {
    const row = rows.get(id)
    return row ? [{ row, held: count }] : []
  })
}

/** For each row in its order 0, or 1 and how many of the terms start words in it. Loops: they run once, before they are fast. */
function heldCounts(
  { ids, index }: KeptWords,
  wanted: readonly number[],
  terms: readonly Term[],
): Uint8Array {
  const held = new Uint8Array(ids.length)
  const asked = new Uint8Array(wanted.reduce((most, id) => Math.max(most, id), 0) + 1)
  for (const id of wanted) asked[id] = 1
  for (let at = 0; at < ids.length; at++) held[at] = asked[ids[at]!] ?? 0
  for (const { tokens } of terms) {
    const marks = index.rowsWith([{ text: tokens[0]!, atStart: true }])
    for (let at = marks.indexOf(1); at >= 0; at = marks.indexOf(1, at + 1)) if (held[at] !== 0) held[at]! += 1
  }
  return held
}
