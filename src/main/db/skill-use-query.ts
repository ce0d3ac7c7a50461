import type { SkillUse } from '@shared/domain/skill'
import { USE_PARTS, USE_PART_DAYS } from '@shared/domain/skill'
import type { Connection } from './open'

const DAY_MS = 86_400_000
const PART_MS = USE_PART_DAYS * DAY_MS
/** More copies than anybody uses; the answer stays small. */
const MAX_COPIES = 1500

/**
 * How often each copy was loaded, ever, and its scripts were run in the 30 days before `now`, by the record. Copies that
 * were never used are left out.
 */
export function skillUse(sql: Connection, now: number): SkillUse[] {
  const found = new Map<string, SkillUse>()
  const at = (key: string): SkillUse => {
    const known = found.get(key) ?? { key, loads: 0, runs: Array.from({ length: USE_PARTS }, () => 0) }
    found.set(key, known)
    return known
  }
  for (const { key, loads } of loadsOf(sql)) at(key).loads = loads
  for (const { key, part, runs } of runsOf(sql, now)) {
    const parts = at(key).runs
    parts[Math.min(part, parts.length - 1)]! += runs
  }
  const all = [...found.values()]
  return all.length <= MAX_COPIES ? all : all.toSorted((a, b) => totalOf(b) - totalOf(a)).slice(0, MAX_COPIES)
}

function totalOf({ runs, loads }: SkillUse): number {
  return runs.reduce((sum, count) => sum + count, 0) * 1000 + loads
}

function loadsOf(sql: Connection): { key: string; loads: number }[] {
  return sql
    .prepare(
      `SELECT json_extract(data, '$.key') AS key, count(*) AS loads FROM audit
       WHERE action = 'skill.loaded' AND json_valid(data) AND json_extract(data, '$.key') IS NOT NULL
       GROUP BY 1 ORDER BY loads DESC LIMIT ${MAX_COPIES}`,
    )
    .all() as { key: string; loads: number }[]
}

/** The last part ends now. */
function runsOf(sql: Connection, now: number): { key: string; part: number; runs: number }[] {
  const from = now - USE_PARTS * PART_MS
  return sql
    .prepare(
      `SELECT runs.skill_key AS key, CAST((audit.at - @from) / ${PART_MS} AS INTEGER) AS part, count(*) AS runs
       FROM audit JOIN runs ON runs.id = json_extract(audit.data, '$.runId')
       WHERE audit.action = 'run.started' AND audit.at > @from AND audit.at <= @now AND json_valid(audit.data)
         AND runs.skill_key IS NOT NULL
       GROUP BY 1, 2`,
    )
    .all({ from, now }) as { key: string; part: number; runs: number }[]
}
