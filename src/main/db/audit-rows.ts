import { AuditEvent } from '@shared/domain/audit'
import type { Connection } from './open'

interface AuditRow {
  seq: number
  at: number
  actor: string
  action: string
  session_id: string | null
  target: string
  data: string
  prev_hash: string
  hash: string
}

export function lastAudit(sql: Connection): { seq: number; hash: string } | null {
  const row = sql.prepare('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1').get()
  return (row as { seq: number; hash: string } | undefined) ?? null
}

export function insertAudit(sql: Connection, event: AuditEvent): void {
  sql
    .prepare(
      `INSERT INTO audit (seq, at, actor, action, session_id, target, data, prev_hash, hash)
       VALUES (@seq, @at, @actor, @action, @sessionId, @target, @data, @prevHash, @hash)`,
    )
    .run({ ...event, data: JSON.stringify(event.data) })
}

/** Newest first; `before` is a sequence number. */
export function queryAudit(
  sql: Connection,
  query: { before?: number | undefined; limit: number },
): AuditEvent[] {
  const rows = sql
    .prepare('SELECT * FROM audit WHERE seq < ? ORDER BY seq DESC LIMIT ?')
    .all(query.before ?? Number.MAX_SAFE_INTEGER, query.limit)
  return (rows as AuditRow[]).map(toEvent)
}

/** Oldest first, one at a time, so that a long record is never held whole. */
export function* allAudit(sql: Connection): Iterable<AuditEvent> {
  for (const row of sql.prepare('SELECT * FROM audit ORDER BY seq').iterate()) yield toEvent(row as AuditRow)
}

/** Damaged rows are not thrown away: verification must see them, so they come back with empty data. */
function toEvent(row: AuditRow): AuditEvent {
  const parsed = AuditEvent.safeParse({
    seq: row.seq,
    at: row.at,
    actor: row.actor,
    action: row.action,
    sessionId: row.session_id,
    target: row.target,
    data: parseObject(row.data),
    prevHash: row.prev_hash,
    hash: row.hash,
  })
  if (parsed.success) return parsed.data
  return {
    seq: row.seq,
    at: row.at,
    actor: 'app',
    action: 'security.blocked',
    sessionId: row.session_id,
    target: row.target,
    data: { damaged: true },
    prevHash: row.prev_hash,
    hash: row.hash,
  }
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { damaged: text } // kept as it is: the hash won't match, and that is what verification reports
  }
}
