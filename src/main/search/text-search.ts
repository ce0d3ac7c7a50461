import type { Connection } from '../db/open'
import { lazyStatement } from '../db/prepared'
import { FILES_PER_SKILL } from './index-write'

/** A row that matches, by its rowid; a smaller rank is better. */
export interface Ranked {
  rowid: number
  rank: number
}

/** What was indexed of a skill; empty when it is gone since. */
export interface ShortTexts {
  name: string
  tags: string
  description: string
}

export interface LongTexts {
  /** Paths, one a line. */
  files: string
  body: string
}

export interface TextSearch {
  /** Skills whose names, texts or file names match an expression of FTS5, best first; ties in no order. */
  docs(expression: string, limit: number): Ranked[]
  /** The same for single files; `skillOf` says whose they are. */
  files(expression: string, limit: number): Ranked[]
  /** Ids of all skills that match. */
  ids(expression: string): number[]
  short(id: number): ShortTexts
  long(id: number): LongTexts
  file(rowid: number): { path: string; text: string } | undefined
}

/** Id of the skill that a row of `files_text` belongs to. */
export function skillOf(rowid: number): number {
  return Math.floor(rowid / FILES_PER_SKILL)
}

export function createTextSearch(sql: Connection): TextSearch {
  const ids = lazyStatement(sql, 'SELECT rowid FROM docs_text WHERE docs_text MATCH ?', 'values')
  const short = lazyStatement(sql, 'SELECT name, tags, description FROM docs_text WHERE rowid = ?')
  const long = lazyStatement(sql, 'SELECT files, body FROM docs_text WHERE rowid = ?')
  const file = lazyStatement(sql, 'SELECT path, text FROM files_text WHERE rowid = ?')
  return {
    docs: ranked(sql, 'docs_text'),
    files: ranked(sql, 'files_text'),
    ids: (expression) => ids().all(expression) as number[],
    short: (id) => (short().get(id) as ShortTexts | undefined) ?? { name: '', tags: '', description: '' },
    long: (id) => (long().get(id) as LongTexts | undefined) ?? { files: '', body: '' },
    file: (rowid) => file().get(rowid) as { path: string; text: string } | undefined,
  }
}

/**
 * Sorted by FTS5 itself, which a LIMIT would not make faster. Where rows at the end of the list are equal all of them are
 * taken: no order is left to chance.
 */
function ranked(sql: Connection, table: string): (expression: string, limit: number) => Ranked[] {
  const query = `SELECT rowid, rank FROM ${table} WHERE ${table} MATCH ? ORDER BY rank`
  const best = lazyStatement(sql, `${query} LIMIT ?`, 'arrays')
  const rest = lazyStatement(sql, `${query} LIMIT -1 OFFSET ?`, 'arrays')
  return (expression, limit) => {
    const rows = best().all(expression, limit + 1) as RankColumns[]
    if (rows.length <= limit || rows[limit]![1] !== rows[limit - 1]?.[1])
      return rows.slice(0, limit).map(toRanked)
    for (const row of rest().iterate(expression, limit + 1) as Iterable<RankColumns>) {
      if (row[1] !== rows[limit]![1]) break
      rows.push(row)
    }
    return rows.map(toRanked)
  }
}

type RankColumns = [rowid: number, rank: number]

function toRanked([rowid, rank]: RankColumns): Ranked {
  return { rowid, rank }
}
