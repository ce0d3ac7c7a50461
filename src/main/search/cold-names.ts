import type { Connection } from '../db/open'
import { createNameMatch, neededText } from './name-match'
import type { NameMatch, Names } from './name-match'
import type { MetaRow } from './row-order'

export const NAME_COLUMNS = 'id, key, text'
export type NameColumns = [id: number, key: string, text: string]

export function toRow([id, key, text]: NameColumns): MetaRow {
  return { id, key, text }
}

/**
 * Answers as the rows in memory would, from the file: for the first query of a process, which would wait for all of them
 * (performance.md G3.3). `load` is asked where only all of them know the answer.
 */
export function createColdNames(sql: Connection, load: () => NameMatch): Names {
  const one = sql.prepare(`SELECT ${NAME_COLUMNS} FROM docs WHERE id = ?`).raw()
  const some = sql
    .prepare(`SELECT ${NAME_COLUMNS} FROM docs WHERE id IN (SELECT value FROM json_each(?))`)
    .raw()
  const known = new Map<number, MetaRow | undefined>()
  return {
    get(id) {
      if (known.has(id)) return known.get(id)
      const row = one.get(id) as NameColumns | undefined
      known.set(id, row && toRow(row))
      return known.get(id)
    },
    find(terms, limit) {
      if (terms.length === 0) return []
      const where = terms.map(() => 'text LIKE ?').join(' AND ')
      const rows = sql.prepare(`SELECT ${NAME_COLUMNS} FROM docs WHERE ${where}`).raw()
      // Faster than instr(); terms hold no wildcards, and the texts are folded already.
      return namesOf(rows.all(...terms.map((term) => `%${neededText(term)}%`))).find(terms, limit)
    },
    byTerms: (ids, terms, limit) => namesOf(some.all(JSON.stringify(ids))).byTerms(ids, terms, limit),
    findNear: (terms, limit) => load().findNear(terms, limit),
  }
}

function namesOf(rows: readonly unknown[]): NameMatch {
  const names = createNameMatch()
  names.put((rows as readonly NameColumns[]).map(toRow))
  return names
}
