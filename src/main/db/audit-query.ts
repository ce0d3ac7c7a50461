import type {
  AuditDay,
  AuditDetail,
  AuditEvent,
  AuditFilter,
  AuditPageQuery,
  AuditSummary,
  AuditView,
} from '@shared/domain/audit'
import { DAY_KINDS, DECISION_KINDS, VIEW_KINDS } from '@shared/audit-kinds'
import { auditEntry, toEvent } from './audit-rows'
import type { AuditRow } from './audit-rows'
import type { Connection } from './open'

/** A part of the record that fits a filter, newest first. */
export function auditPage(sql: Connection, query: AuditPageQuery): AuditEvent[] {
  const { filter = {}, upTo = Number.MAX_SAFE_INTEGER, offset = 0, limit } = query
  const { where, values } = whereOf(filter)
  const rows = sql
    .prepare(
      `SELECT * FROM audit WHERE seq <= @upTo AND ${where} ORDER BY seq DESC LIMIT @limit OFFSET @offset`,
    )
    .all({ ...values, upTo, limit, offset })
  return (rows as AuditRow[]).map(toEvent)
}

/** Oldest first, after a sequence number: for long reads in slices. */
export function auditSlice(
  sql: Connection,
  { filter, after, upTo, limit }: { filter: AuditFilter; after: number; upTo: number; limit: number },
): AuditEvent[] {
  const { where, values } = whereOf(filter)
  const rows = sql
    .prepare(`SELECT * FROM audit WHERE seq > @after AND seq <= @upTo AND ${where} ORDER BY seq LIMIT @limit`)
    .all({ ...values, after, upTo, limit })
  return (rows as AuditRow[]).map(toEvent)
}

const DAY_MS = 86_400_000
/** Decisions that the median is made of. */
const MAX_DECISIONS = 10_000

/** Counts of what fits: by day in the zone that is `offsetMs` before UTC's midnight, by view, and the four facts. */
export function auditSummary(sql: Connection, filter: AuditFilter, offsetMs: number): AuditSummary {
  const { view: _view, ...rest } = filter
  const { where, values } = whereOf(rest)
  const counts = sql
    .prepare(
      `SELECT CAST((at + @offsetMs) / ${DAY_MS} AS INTEGER) AS day, action, count(*) AS n
       FROM audit WHERE ${where} GROUP BY 1, 2`,
    )
    .all({ ...values, offsetMs }) as DayCount[]
  const countOf = (kinds: readonly string[]) => sum(counts.filter(({ action }) => isOf(action, kinds)))
  const views = Object.fromEntries(
    Object.entries(VIEW_KINDS).map(([view, kinds]) => [view, countOf(kinds)]),
  ) as Record<AuditView, number>
  return {
    head: headOf(sql),
    total: views[filter.view ?? 'everything'],
    days: daysOf(counts),
    facts: {
      runs: countOf(DAY_KINDS.runs),
      denied: countOf(DAY_KINDS.denied),
      allowed: countOf(DECISION_KINDS.allowed),
      byRule: countOf(DECISION_KINDS.rule),
      medianDecideMs: medianDecision(sql, rest),
    },
    views,
    choices: {
      skills: distinct(sql, 'skill'),
      agents: distinct(sql, 'agent'),
      projects: distinct(sql, 'project'),
    },
  }
}

export function headOf(sql: Connection): number {
  return (sql.prepare('SELECT coalesce(max(seq), 0) AS seq FROM audit').get() as { seq: number }).seq
}

/** One entry and what the rows of its chat, run and request say now; null: there is no such entry. */
export function auditDetail(sql: Connection, seq: number): AuditDetail | null {
  const event = auditEntry(sql, seq)
  if (!event) return null
  const run = runOf(sql, event.data['runId'])
  return {
    event,
    chat: (sql.prepare('SELECT id, title FROM sessions WHERE id = ?').get(event.sessionId) ??
      null) as AuditDetail['chat'],
    run,
    request: requestOf(sql, event.data['requestId']),
    previous: run ? previousRun(sql, event) : null,
  }
}

interface DayCount {
  day: number
  action: string
  n: number
}

function sum(counts: readonly DayCount[]): number {
  return counts.reduce((all, { n }) => all + n, 0)
}

function isOf(action: string, kinds: readonly string[]): boolean {
  return (
    kinds.length === 0 ||
    kinds.some((kind) => (kind.endsWith('.') ? action.startsWith(kind) : action === kind))
  )
}

function daysOf(counts: readonly DayCount[]): AuditDay[] {
  const days = new Map<number, AuditDay>()
  for (const { day, action, n } of counts) {
    const row = days.get(day) ?? { day, reads: 0, runs: 0, denied: 0 }
    for (const part of ['reads', 'runs', 'denied'] as const) if (isOf(action, DAY_KINDS[part])) row[part] += n
    days.set(day, row)
  }
  return [...days.values()].sort((a, b) => a.day - b.day)
}

function medianDecision(sql: Connection, filter: AuditFilter): number | null {
  const { where, values } = whereOf(filter)
  const waits = sql
    .prepare(
      `SELECT json_extract(data, '$.waitedMs') AS ms FROM audit
       WHERE action IN ('request.allowed', 'request.denied') AND actor = 'person' AND json_valid(data) AND ${where}
       ORDER BY at DESC LIMIT ${MAX_DECISIONS}`,
    )
    .pluck()
    .all(values)
    .filter((ms): ms is number => typeof ms === 'number')
    .sort((a, b) => a - b)
  return waits[Math.floor(waits.length / 2)] ?? null
}

const MAX_CHOICES = 500

/** Steps from one value to the next in the index: the time does not grow with the entries. */
function distinct(sql: Connection, column: 'skill' | 'agent' | 'project'): string[] {
  return sql
    .prepare(
      `WITH RECURSIVE found (x) AS (
         SELECT min(${column}) FROM audit
         UNION ALL SELECT (SELECT min(${column}) FROM audit WHERE ${column} > x) FROM found WHERE x IS NOT NULL
       ) SELECT x FROM found WHERE x IS NOT NULL LIMIT ${MAX_CHOICES}`,
    )
    .pluck()
    .all() as string[]
}

function runOf(sql: Connection, runId: unknown): AuditDetail['run'] {
  if (typeof runId !== 'string') return null
  const row = sql
    .prepare(
      `SELECT id, argv, cwd, status, exit_code AS exitCode, backend, started_at AS startedAt, ended_at AS endedAt,
         tree_digest AS treeDigest FROM runs WHERE id = ?`,
    )
    .get(runId) as (NonNullable<AuditDetail['run']> & { argv: unknown }) | undefined
  return row ? { ...row, argv: JSON.parse(String(row.argv)) as string[] } : null
}

function requestOf(sql: Connection, requestId: unknown): AuditDetail['request'] {
  if (typeof requestId !== 'string') return null
  const row = sql
    .prepare(
      `SELECT id, status, decided_by AS decidedBy, note, ask_reason AS askReason, created_at AS createdAt,
         decided_at AS decidedAt, json_extract(plan, '$.script.sha256') AS scriptSha256 FROM requests WHERE id = ?`,
    )
    .get(requestId)
  return (row as AuditDetail['request'] | undefined) ?? null
}

function previousRun(
  sql: Connection,
  { seq, at, action, target, data }: AuditEvent,
): AuditDetail['previous'] {
  const row = sql
    .prepare(
      `SELECT audit.seq, runs.tree_digest AS treeDigest, runs.exit_code AS exitCode
       FROM audit JOIN runs ON runs.id = json_extract(data, '$.runId')
       WHERE action = @action AND at <= @at AND audit.seq < @seq AND target = @target AND json_valid(data)
         AND runs.id <> @runId
       ORDER BY at DESC LIMIT 1`,
    )
    .get({ action, at, seq, target, runId: String(data['runId']) })
  return (row as AuditDetail['previous'] | undefined) ?? null
}

interface Where {
  where: string
  values: Record<string, string | number>
}

/** Every condition is a constant text; what was given is bound as a value. */
function whereOf(filter: AuditFilter): Where {
  const parts: string[] = ['1']
  const values: Where['values'] = {}
  const bind = (value: string | number): string => {
    const name = `v${Object.keys(values).length}`
    values[name] = value
    return `@${name}`
  }
  const kinds = kindsOf(filter)
  for (const set of kinds) parts.push(kindWhere(set, bind))
  for (const [key, column] of COLUMNS) {
    const value = filter[key]
    if (value !== undefined) parts.push(`${column} = ${bind(value)}`)
  }
  if (filter.since !== undefined) parts.push(`at >= ${bind(filter.since)}`)
  if (filter.until !== undefined) parts.push(`at < ${bind(filter.until)}`)
  if (filter.result !== undefined) {
    const sign = filter.result === 'succeeded' ? '=' : '<>'
    parts.push(`action = 'run.finished' AND json_extract(data, '$.status') ${sign} 'succeeded'`)
  }
  for (const word of words(filter.text)) {
    const like = bind(`%${escaped(word)}%`)
    parts.push(
      `(target LIKE ${like} ESCAPE '\\' OR action LIKE ${like} ESCAPE '\\' OR data LIKE ${like} ESCAPE '\\' OR hash LIKE ${bind(`${escaped(word)}%`)} ESCAPE '\\')`,
    )
  }
  if (filter.hash !== undefined) {
    const hash = escaped(filter.hash.toLowerCase())
    parts.push(`(hash LIKE ${bind(`${hash}%`)} ESCAPE '\\' OR data LIKE ${bind(`%"${hash}%`)} ESCAPE '\\')`)
  }
  return { where: parts.join(' AND '), values }
}

const COLUMNS = [
  ['skill', 'skill'],
  ['agent', 'agent'],
  ['project', 'project'],
  ['sessionId', 'session_id'],
  ['person', `json_extract(data, '$.context.person')`],
] as const

/** Sets of kinds, of each of which the entry must be one. */
function kindsOf({ view, actions, decision }: AuditFilter): (readonly string[])[] {
  const sets = [view && VIEW_KINDS[view], actions, decision && DECISION_KINDS[decision]]
  return sets.filter((set) => set !== undefined).filter((set) => set.length > 0)
}

function kindWhere(kinds: readonly string[], bind: (value: string) => string): string {
  const each = kinds.map((kind) =>
    // The end of a prefix's range: a dot is followed by a slash.
    kind.endsWith('.')
      ? `(action >= ${bind(kind)} AND action < ${bind(`${kind.slice(0, -1)}/`)})`
      : `action = ${bind(kind)}`,
  )
  return `(${each.join(' OR ')})`
}

function words(text: string | undefined): string[] {
  return (text ?? '').split(/\s+/).filter(Boolean).slice(0, 20)
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, (sign) => `\\${sign}`)
}
