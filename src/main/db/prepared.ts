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
