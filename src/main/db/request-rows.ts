import { z } from 'zod'
import { Finding, RequestPlan, RequestStatus, runPlanOf } from '@shared/domain/approval'
import type { Connection } from './open'
import { readJson } from './json-column'
import { prepared } from './prepared'

const Changed = z.object({ since: z.number(), added: z.number(), removed: z.number() })

export interface RequestRow {
  id: string
  sessionId: string
  callId: string
  revision: number
  plan: RequestPlan
  planHash: string
  findings: Finding[]
  askReason: string
  reviewRequired: boolean
  changed: z.infer<typeof Changed> | null
  status: RequestStatus
  decidedBy: 'person' | 'rule' | 'mode' | null
  note: string | null
  agentName: string
  lastUserMessage: string
  restored: boolean
  createdAt: number
  decidedAt: number | null
  /** When the approval was spent on a run: it is good for one. */
  usedAt: number | null
  /** Who asked for what and where, as rules name it. */
  tool: string
  agentKey: string
  projectDir: string | null
  /** The rule that decided, or that makes this be asked, and what it said then. */
  ruleId: string | null
  ruleText: string | null
}

interface Raw {
  id: string
  session_id: string
  call_id: string
  revision: number
  plan: string
  plan_hash: string
  findings: string
  ask_reason: string
  review_required: number
  changed: string | null
  status: string
  decided_by: string | null
  note: string | null
  agent_name: string
  last_user_message: string
  restored: number
  created_at: number
  decided_at: number | null
  used_at: number | null
  tool: string | null
  agent_key: string | null
  project_dir: string | null
  rule_id: string | null
  rule_text: string | null
}

export function insertRequest(sql: Connection, row: RequestRow): void {
  sql
    .prepare(
      `INSERT INTO requests (id, session_id, call_id, revision, skill_key, script_path, plan, plan_hash, findings,
        ask_reason, review_required, changed, status, decided_by, note, agent_name, last_user_message, restored,
        created_at, decided_at, used_at, tool, agent_key, project_dir, rule_id, rule_text)
       VALUES (@id, @sessionId, @callId, @revision, @skillKey, @scriptPath, @plan, @planHash, @findings,
        @askReason, @reviewRequired, @changed, @status, @decidedBy, @note, @agentName, @lastUserMessage, @restored,
        @createdAt, @decidedAt, @usedAt, @tool, @agentKey, @projectDir, @ruleId, @ruleText)`,
    )
    .run({
      ...row,
      skillKey: runPlanOf(row.plan)?.skill?.key ?? null,
      scriptPath: runPlanOf(row.plan)?.script?.path ?? null,
      plan: JSON.stringify(row.plan),
      findings: JSON.stringify(row.findings),
      changed: row.changed ? JSON.stringify(row.changed) : null,
      reviewRequired: row.reviewRequired ? 1 : 0,
      restored: row.restored ? 1 : 0,
    })
}

/** Writes what may change in a request's life. The plan, its hash and the findings never do. */
export function updateRequest(sql: Connection, row: RequestRow): void {
  sql
    .prepare(
      `UPDATE requests SET revision = @revision, status = @status, decided_by = @decidedBy, note = @note,
        restored = @restored, decided_at = @decidedAt, used_at = @usedAt, rule_id = @ruleId,
        rule_text = @ruleText WHERE id = @id`,
    )
    .run({
      id: row.id,
      revision: row.revision,
      status: row.status,
      decidedBy: row.decidedBy,
      note: row.note,
      restored: row.restored ? 1 : 0,
      decidedAt: row.decidedAt,
      usedAt: row.usedAt,
      ruleId: row.ruleId,
      ruleText: row.ruleText,
    })
}

export function getRequest(sql: Connection, id: string): RequestRow | null {
  return one(sql.prepare('SELECT * FROM requests WHERE id = ?').get(id))
}

/** Oldest first: of one chat, or of all. */
export function pendingRequests(sql: Connection, sessionId?: string): RequestRow[] {
  const raws = prepared(
    sql,
    `SELECT * FROM requests WHERE status = 'pending' AND (@sessionId IS NULL OR session_id = @sessionId)
       ORDER BY created_at, id`,
  ).all({ sessionId: sessionId ?? null })
  return raws.map(one).filter((row) => row !== null)
}

/** All that a call asked, in their order. */
export function requestsOfCall(sql: Connection, callId: string): RequestRow[] {
  const raws = sql.prepare('SELECT * FROM requests WHERE call_id = ? ORDER BY created_at, rowid').all(callId)
  return raws.map(one).filter((row) => row !== null)
}

/** Allowed, but the app ended before the run began. */
export function unusedApprovals(sql: Connection): RequestRow[] {
  const raws = sql
    .prepare(
      `SELECT * FROM requests WHERE status IN ('approved', 'auto_allowed', 'superseded') AND used_at IS NULL`,
    )
    .all()
  return raws.map(one).filter((row) => row !== null)
}

/** The last time a person allowed this script of this skill, whatever its contents were. */
export function lastApproval(sql: Connection, skillKey: string, scriptPath: string): RequestRow | null {
  return one(
    sql
      .prepare(
        `SELECT * FROM requests WHERE skill_key = ? AND script_path = ? AND status = 'approved'
         ORDER BY decided_at DESC LIMIT 1`,
      )
      .get(skillKey, scriptPath),
  )
}

const LAST_ALLOWED = 100

/** Tree digests of a skill, whole as they were, of which a person allowed a script to run. */
export function allowedTrees(sql: Connection, skillKey: string): Set<string> {
  const raws = sql
    .prepare(
      `SELECT * FROM requests WHERE skill_key = ? AND status = 'approved' AND decided_by = 'person'
       ORDER BY decided_at DESC LIMIT ?`,
    )
    .all(skillKey, LAST_ALLOWED)
  const plans = raws.map((raw) => one(raw)?.plan)
  return new Set(
    plans.flatMap((plan) => (plan?.kind === 'script' && plan.skill ? [plan.skill.treeDigest] : [])),
  )
}

/** The last requests that a person allowed: for this script of this skill, or for none. */
export function allowedByPerson(
  sql: Connection,
  { skillKey, scriptPath }: { skillKey: string | null; scriptPath: string | null },
): RequestRow[] {
  const raws = sql
    .prepare(
      `SELECT * FROM requests WHERE skill_key IS ? AND script_path IS ? AND status = 'approved'
       AND decided_by = 'person' ORDER BY decided_at DESC LIMIT 1000`,
    )
    .all(skillKey, scriptPath)
  return raws.map(one).filter((row) => row !== null)
}

/** The agents that asked for something, by their keys, with their names of the last time. */
export function agentsThatAsked(sql: Connection): Map<string, string> {
  const raws = sql
    .prepare(
      `SELECT agent_key AS key, agent_name AS name, MAX(created_at) FROM requests
       WHERE agent_key IS NOT NULL GROUP BY agent_key`,
    )
    .all() as { key: string; name: string }[]
  return new Map(raws.map(({ key, name }) => [key, name]))
}

/** The last decision about this script, allowed or denied. */
export function lastDecision(sql: Connection, skillKey: string, scriptPath: string): RequestRow | null {
  return one(
    sql
      .prepare(
        `SELECT * FROM requests WHERE skill_key = ? AND script_path = ? AND status IN ('approved', 'denied')
         ORDER BY decided_at DESC LIMIT 1`,
      )
      .get(skillKey, scriptPath),
  )
}

/** How often this script ran, and how often it ended with exit code 0. */
export function runCounts(
  sql: Connection,
  skillKey: string,
  script: string,
): { runs: number; succeeded: number } {
  return sql
    .prepare(
      `SELECT count(*) AS runs, coalesce(sum(status = 'succeeded'), 0) AS succeeded
       FROM runs WHERE skill_key = ? AND script = ?`,
    )
    .get(skillKey, script) as { runs: number; succeeded: number }
}

/** The last ones that say who asked, the newest first. */
export function recentRequests(sql: Connection, limit: number): RequestRow[] {
  const raws = sql
    .prepare('SELECT * FROM requests WHERE agent_key IS NOT NULL ORDER BY created_at DESC, id LIMIT ?')
    .all(limit)
  return raws.map(one).filter((row) => row !== null)
}

/** Those that wait no more, the newest first, before a moment. */
export function decidedRequests(sql: Connection, before: number | null, limit: number): RequestRow[] {
  const raws = sql
    .prepare(
      `SELECT * FROM requests WHERE status <> 'pending' AND (@before IS NULL OR created_at < @before)
       ORDER BY created_at DESC, id LIMIT @limit`,
    )
    .all({ before, limit })
  return raws.map(one).filter((row) => row !== null)
}

const DecidedBy = z.enum(['person', 'rule', 'mode']).nullable().catch(null)

/** A request whose plan can't be read any more is left out: nothing can be approved without its plan. */
function one(value: unknown): RequestRow | null {
  if (!value) return null
  const raw = value as Raw
  const plan = readJson(RequestPlan.nullable(), raw.plan, null)
  if (!plan) return null
  return {
    id: raw.id,
    sessionId: raw.session_id,
    callId: raw.call_id,
    revision: raw.revision,
    plan,
    planHash: raw.plan_hash,
    findings: readJson(z.array(Finding), raw.findings, []),
    askReason: raw.ask_reason,
    reviewRequired: raw.review_required === 1,
    changed: readJson(Changed.nullable(), raw.changed, null),
    status: RequestStatus.catch('stale').parse(raw.status),
    decidedBy: DecidedBy.parse(raw.decided_by),
    note: raw.note,
    agentName: raw.agent_name,
    lastUserMessage: raw.last_user_message,
    restored: raw.restored === 1,
    createdAt: raw.created_at,
    decidedAt: raw.decided_at,
    usedAt: raw.used_at,
    tool: raw.tool ?? '',
    agentKey: raw.agent_key ?? '',
    projectDir: raw.project_dir,
    ruleId: raw.rule_id,
    ruleText: raw.rule_text,
  }
}
