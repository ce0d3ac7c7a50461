import type { Connection } from './open'

/** A run of a script, with where it was asked for. */
export interface ScriptRunRow {
  id: string
  script: string
  status: string
  exitCode: number | null
  startedAt: number
  endedAt: number | null
  sessionId: string
  /** Null: the chat is gone. */
  title: string | null
  step: number | null
}

const RUN_COLUMNS = `runs.id, runs.script, runs.status, runs.exit_code AS exitCode, runs.started_at AS startedAt,
  runs.ended_at AS endedAt, runs.session_id AS sessionId, sessions.title, calls.step`
const RUN_JOINS = `LEFT JOIN sessions ON sessions.id = runs.session_id LEFT JOIN calls ON calls.id = runs.call_id`

/** The last runs of one script of a copy, the newest first. */
export function lastRuns(sql: Connection, skillKey: string, script: string, limit: number): ScriptRunRow[] {
  return sql
    .prepare(
      `SELECT ${RUN_COLUMNS} FROM runs ${RUN_JOINS} WHERE runs.skill_key = ? AND runs.script = ?
       ORDER BY runs.started_at DESC LIMIT ?`,
    )
    .all(skillKey, script, limit) as ScriptRunRow[]
}

/** An answer to a request for a script, and for which bytes it was given. */
export interface AllowedRow {
  requestId: string
  status: string
  at: number
  treeDigest: string | null
  scriptSha256: string | null
}

/** The first and the last time that a script of a copy was allowed, by a person or a rule; empty when it never was. */
export function firstAndLastAllowed(sql: Connection, skillKey: string, script: string): AllowedRow[] {
  const at = (order: 'ASC' | 'DESC') =>
    sql
      .prepare(
        `SELECT id AS requestId, status, decided_at AS at, json_extract(plan, '$.skill.treeDigest') AS treeDigest,
           json_extract(plan, '$.script.sha256') AS scriptSha256
         FROM requests WHERE skill_key = ? AND script_path = ? AND decided_at IS NOT NULL AND json_valid(plan)
           AND status IN ('approved', 'auto_allowed', 'superseded')
         ORDER BY decided_at ${order} LIMIT 1`,
      )
      .get(skillKey, script) as AllowedRow | undefined
  const [first, last] = [at('ASC'), at('DESC')]
  if (!first || !last) return []
  return first.requestId === last.requestId ? [first] : [first, last]
}

export interface SkillCounts {
  loads: number
  runs: number
  succeeded: number
  failed: number
  denied: number
  /** Chats in which it was loaded or ran. */
  chats: number
  /** Milliseconds since 1970; null: never. */
  lastUsedAt: number | null
  /** When the record begins; null: it is empty. */
  recordedSince: number | null
}

/** Everything that is counted of one copy; each part is read from an index. */
export function skillCounts(sql: Connection, skillKey: string): SkillCounts {
  return sql
    .prepare(
      `WITH used AS (
         SELECT at, session_id FROM audit WHERE skill_key = @key AND action = 'skill.loaded'
         UNION ALL SELECT started_at, session_id FROM runs WHERE skill_key = @key
       ), ended AS (SELECT status FROM runs WHERE skill_key = @key)
       SELECT (SELECT count(*) FROM audit WHERE skill_key = @key AND action = 'skill.loaded') AS loads,
         (SELECT count(*) FROM ended) AS runs,
         (SELECT count(*) FROM ended WHERE status = 'succeeded') AS succeeded,
         (SELECT count(*) FROM ended WHERE status NOT IN ('succeeded', 'running')) AS failed,
         (SELECT count(*) FROM requests WHERE skill_key = @key AND status IN ('denied', 'auto_denied')) AS denied,
         (SELECT count(DISTINCT session_id) FROM used) AS chats,
         (SELECT max(at) FROM used) AS lastUsedAt,
         (SELECT min(at) FROM audit) AS recordedSince`,
    )
    .get({ key: skillKey }) as SkillCounts
}

const MEDIAN_OF = 1000

/** The middle one of what the last loads brought into their chats; null where none is known. */
export function medianLoadTokens(sql: Connection, skillKey: string): number | null {
  const tokens = sql
    .prepare(
      `SELECT json_extract(data, '$.tokens') FROM audit WHERE skill_key = ? AND action = 'skill.loaded'
       ORDER BY at DESC LIMIT ${MEDIAN_OF}`,
    )
    .pluck()
    .all(skillKey)
    .filter((value): value is number => typeof value === 'number')
    .sort((a, b) => a - b)
  return tokens[Math.floor(tokens.length / 2)] ?? null
}

/** A load or a run. */
export interface UseRow {
  kind: 'load' | 'run'
  at: number
  /** Null for an entry of no chat. */
  sessionId: string | null
  title: string | null
  step: number | null
  /** Of a run. */
  script: string | null
  status: string | null
  exitCode: number | null
}

/** The last uses of one copy, the newest first. */
export function lastUses(sql: Connection, skillKey: string, limit: number): UseRow[] {
  const loads = sql
    .prepare(
      `SELECT 'load' AS kind, audit.at, audit.session_id AS sessionId, sessions.title,
         json_extract(audit.data, '$.step') AS step, NULL AS script, NULL AS status, NULL AS exitCode
       FROM audit LEFT JOIN sessions ON sessions.id = audit.session_id
       WHERE audit.skill_key = ? AND audit.action = 'skill.loaded' ORDER BY audit.at DESC LIMIT ?`,
    )
    .all(skillKey, limit) as UseRow[]
  const runs = sql
    .prepare(
      `SELECT ${RUN_COLUMNS} FROM runs ${RUN_JOINS} WHERE runs.skill_key = ? ORDER BY runs.started_at DESC LIMIT ?`,
    )
    .all(skillKey, limit) as ScriptRunRow[]
  return [...loads, ...runs.map(useOf)].sort((a, b) => b.at - a.at).slice(0, limit)
}

/** Chats in which a copy is active now, the last used first. */
export function chatsWithSkill(
  sql: Connection,
  skillKey: string,
  limit: number,
): { id: string; title: string }[] {
  return sql
    .prepare(
      `SELECT id, title FROM sessions WHERE parent_id IS NULL AND trial IS NULL AND json_valid(active_skills) AND EXISTS (
         SELECT 1 FROM json_each(active_skills) WHERE json_extract(value, '$.key') = ?
       ) ORDER BY updated_at DESC LIMIT ?`,
    )
    .all(skillKey, limit) as { id: string; title: string }[]
}

function useOf({ startedAt, sessionId, title, step, script, status, exitCode }: ScriptRunRow): UseRow {
  return { kind: 'run', at: startedAt, sessionId, title, step, script, status, exitCode }
}
