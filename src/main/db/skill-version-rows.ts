import type { Connection } from './open'

export type VersionHow = 'page' | 'disk' | 'kept' | 'saved' | 'loaded' | 'ran' | 'restored'

/** Contents that a copy was seen with, and how that is known last. */
export interface VersionRow {
  digest: string
  /** Milliseconds since 1970. */
  seenAt: number
  how: VersionHow
}

export interface NewVersion extends VersionRow {
  skillKey: string
}

/**
 * Another look at the same contents counts as one only when they came to be there again: what the disk tells of contents
 * that are known to be there is no news.
 */
export function noteVersion(sql: Connection, version: NewVersion): void {
  sql
    .prepare(
      `INSERT INTO skill_versions (skill_key, digest, seen_at, how) VALUES (@skillKey, @digest, @seenAt, @how)
       ON CONFLICT (skill_key, digest) DO UPDATE SET seen_at = excluded.seen_at, how = excluded.how
       WHERE excluded.how NOT IN ('page', 'kept') AND (excluded.how <> 'disk' OR seen_at <
         (SELECT max(seen_at) FROM skill_versions WHERE skill_key = excluded.skill_key))`,
    )
    .run(version)
}

const MAX_VERSIONS = 200

/** All contents of a copy that anything tells of, the last seen first: what was kept, saved, loaded or run. */
export function listVersions(sql: Connection, skillKey: string): VersionRow[] {
  return sql
    .prepare(
      `SELECT digest, max(seen_at) AS seenAt, how FROM (
         SELECT digest, seen_at, how FROM skill_versions WHERE skill_key = @skillKey
         UNION ALL SELECT json_extract(data, '$.digest'), at, 'loaded' FROM audit
           WHERE skill_key = @skillKey AND action = 'skill.loaded'
         UNION ALL SELECT json_extract(data, '$.kept'), at - 1, 'kept' FROM audit
           WHERE skill_key = @skillKey AND action = 'skill.saved' AND json_extract(data, '$.kept') NOT IN
             (SELECT digest FROM skill_versions WHERE skill_key = @skillKey)
         UNION ALL SELECT tree_digest, started_at, 'ran' FROM runs WHERE skill_key = @skillKey
       ) WHERE digest GLOB '[0-9a-f]*' AND length(digest) = 64 GROUP BY digest ORDER BY seenAt DESC LIMIT ${MAX_VERSIONS}`,
    )
    .all({ skillKey }) as VersionRow[]
}

/** Of which copies and when, the oldest first: what may be given up when there is too much of it. */
export function versionsByAge(sql: Connection): NewVersion[] {
  return sql
    .prepare(
      'SELECT skill_key AS skillKey, digest, seen_at AS seenAt, how FROM skill_versions ORDER BY seen_at',
    )
    .all() as NewVersion[]
}

export function forgetVersion(sql: Connection, digest: string): void {
  sql.prepare('DELETE FROM skill_versions WHERE digest = ?').run(digest)
}

/** True when these contents belong to more than their history: they were loaded, asked for or run, or a chat has them. */
export function isVersionInUse(sql: Connection, digest: string): boolean {
  const found = sql
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM runs WHERE tree_digest = @digest)
         OR EXISTS (SELECT 1 FROM requests WHERE instr(plan, @digest) > 0)
         OR EXISTS (SELECT 1 FROM proposals WHERE base_digest = @digest)
         OR EXISTS (SELECT 1 FROM sessions WHERE instr(active_skills, @digest) > 0 OR instr(coalesce(fork, ''), @digest) > 0)
         OR EXISTS (SELECT 1 FROM messages WHERE instr(coalesce(skills_before, ''), @digest) > 0
           OR instr(coalesce(skills_after, ''), @digest) > 0)`,
    )
    .pluck()
    .get({ digest })
  return found === 1
}

/** True when these contents are of the history of any copy, or were kept before a save. */
export function isVersionNoted(sql: Connection, digest: string): boolean {
  const found = sql
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM skill_versions WHERE digest = @digest) OR EXISTS (
         SELECT 1 FROM audit WHERE action = 'skill.saved' AND json_valid(data) AND json_extract(data, '$.kept') = @digest)`,
    )
    .pluck()
    .get({ digest })
  return found === 1
}
