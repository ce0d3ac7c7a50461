import type { z } from 'zod'
import { readJson } from './json-column'
import type { Db } from './open'

/** What an earlier scan found, so that a start only reads what changed. Rows can be thrown away at any time. */
export interface SkillCache<T> {
  /** Null when there is nothing for this file or it has another stamp. */
  get(skillMd: string): { stamp: string; value: T } | null
  /** Writes and deletes in one transaction; a failure (a full disk) only costs time at the next start. */
  save(changes: { put: { skillMd: string; stamp: string; value: T }[]; remove: string[] }): void
  /** Paths of all rows. */
  paths(): string[]
}

interface Row {
  skill_md: string
  stamp: string
  record: string
}

/** Reads every row once; damaged ones are read from disk again. */
export function openSkillCache<S extends z.ZodType>(db: Db, schema: S): SkillCache<z.output<S>> {
  type Value = z.output<S>
  const known = new Map<string, { stamp: string; value: Value }>()
  for (const row of db.sql.prepare('SELECT skill_md, stamp, record FROM skill_cache').all() as Row[]) {
    const value: Value | null = readJson(schema.nullable(), row.record, null)
    if (value !== null) known.set(row.skill_md, { stamp: row.stamp, value })
  }
  const put = db.sql.prepare('INSERT OR REPLACE INTO skill_cache (skill_md, stamp, record) VALUES (?, ?, ?)')
  const remove = db.sql.prepare('DELETE FROM skill_cache WHERE skill_md = ?')
  return {
    get: (skillMd) => known.get(skillMd) ?? null,
    paths: () => [...known.keys()],
    save(changes) {
      for (const { skillMd, stamp, value } of changes.put) known.set(skillMd, { stamp, value })
      for (const skillMd of changes.remove) known.delete(skillMd)
      db.tx(() => {
        for (const { skillMd, stamp, value } of changes.put) put.run(skillMd, stamp, JSON.stringify(value))
        for (const skillMd of changes.remove) remove.run(skillMd)
      })
    },
  }
}
