import type { Connection } from './open'

/** A skill as it was when the disk was last looked at. */
export interface SeenSkill {
  key: string
  name: string
  stamp: string
}

export function listSeen(sql: Connection): Map<string, SeenSkill> {
  const rows = sql.prepare('SELECT key, name, stamp FROM skills_seen').all() as SeenSkill[]
  return new Map(rows.map((row) => [row.key, row]))
}

export function isFirstLook(sql: Connection): boolean {
  return sql.prepare('SELECT 1 FROM skills_seen LIMIT 1').get() === undefined
}

export function noteSeen(sql: Connection, skill: SeenSkill): void {
  sql
    .prepare(
      `INSERT INTO skills_seen (key, name, stamp) VALUES (@key, @name, @stamp)
       ON CONFLICT (key) DO UPDATE SET name = @name, stamp = @stamp`,
    )
    .run(skill)
}

export function forgetSeen(sql: Connection, key: string): void {
  sql.prepare('DELETE FROM skills_seen WHERE key = ?').run(key)
}
