import type { Statement } from 'better-sqlite3'
import type { Connection } from './open'

const known = new WeakMap<Connection, Map<string, Statement>>()

/**
 * The statement of this text, prepared once for each connection: preparing takes longer than most queries of one row.
 * For texts of which there are few, and never to be changed with `raw` or `pluck`.
 */
export function prepared(sql: Connection, text: string): Statement {
  const statements = known.get(sql) ?? new Map<string, Statement>()
  known.set(sql, statements)
  const statement = statements.get(text) ?? sql.prepare(text)
  statements.set(text, statement)
  return statement
}

/** How a statement gives its rows: as objects, as arrays, or the first column alone. */
export type RowShape = 'objects' | 'arrays' | 'values'

/** A statement that is prepared when it is first asked for: a first query waits for none that it doesn't use. */
export function lazyStatement(sql: Connection, text: string, shape: RowShape = 'objects'): () => Statement {
  let ready: Statement | null = null
  return () => {
    if (ready) return ready
    ready = sql.prepare(text)
    if (shape === 'arrays') ready.raw()
    else if (shape === 'values') ready.pluck()
    return ready
  }
}
