import type { AuditEvent } from '@shared/domain/audit'
import type { Connection } from './open'

export interface AuditRow {
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

/** Where the next entry follows: what was noted beside the record counts where the record's end is gone. */
export function auditHead(sql: Connection): { seq: number; hash: string } | null {
  const row = sql
    .prepare(
      `SELECT seq, hash FROM audit_head UNION ALL SELECT * FROM
         (SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1) ORDER BY seq DESC LIMIT 1`,
    )
    .get()
  return (row as { seq: number; hash: string } | undefined) ?? null
}

/** The end of the record as it was noted beside it; null: nothing was recorded yet. */
export function notedHead(sql: Connection): { seq: number; hash: string } | null {
  const row = sql.prepare('SELECT seq, hash FROM audit_head').get()
  return (row as { seq: number; hash: string } | undefined) ?? null
}

export function insertAudit(sql: Connection, event: AuditEvent): void {
  sql
    .prepare(
      `INSERT INTO audit (seq, at, actor, action, session_id, target, data, prev_hash, hash)
       VALUES (@seq, @at, @actor, @action, @sessionId, @target, @data, @prevHash, @hash)`,
    )
    .run({ ...event, data: JSON.stringify(event.data) })
  sql
    .prepare(
      `INSERT INTO audit_head (id, seq, hash) VALUES (1, @seq, @hash)
       ON CONFLICT (id) DO UPDATE SET seq = @seq, hash = @hash`,
    )
    .run({ seq: event.seq, hash: event.hash })
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

/** Oldest first, after a sequence number. */
export function auditAfter(sql: Connection, after: number, limit: number): AuditEvent[] {
  const rows = sql.prepare('SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?').all(after, limit)
  return (rows as AuditRow[]).map(toEvent)
}

/** Oldest first, one at a time, so that a long record is never held whole. */
export function* allAudit(sql: Connection): Iterable<AuditEvent> {
  for (const row of sql.prepare('SELECT * FROM audit ORDER BY seq').iterate()) yield toEvent(row as AuditRow)
}

export function auditEntry(sql: Connection, seq: number): AuditEvent | null {
  const row = sql.prepare('SELECT * FROM audit WHERE seq = ?').get(seq)
  return row ? toEvent(row as AuditRow) : null
}

/** Until when a person let a request wait, by the record; null: nobody did. */
export function extendedUntil(sql: Connection, sessionId: string, requestId: string): number | null {
  const row = sql
    .prepare(
      `SELECT max(json_extract(data, '$.until')) AS until FROM audit
       WHERE action = 'request.extended' AND session_id = ? AND json_extract(data, '$.requestId') = ?`,
    )
    .get(sessionId, requestId)
  return (row as { until: number | null }).until
}

/** How far a file that the record is written to has come; 0: nothing was written there yet. */
export function writtenUpTo(sql: Connection, path: string): number {
  const row = sql.prepare('SELECT seq FROM audit_files WHERE path = ?').get(path)
  return (row as { seq: number } | undefined)?.seq ?? 0
}

export function setWrittenUpTo(sql: Connection, path: string, seq: number): void {
  sql
    .prepare(
      `INSERT INTO audit_files (path, seq) VALUES (@path, @seq) ON CONFLICT (path) DO UPDATE SET seq = @seq`,
    )
    .run({ path, seq })
}

/** Damaged rows are not thrown away: verification must see them, as they are. */
export function toEvent(row: AuditRow): AuditEvent {
  return {
    seq: row.seq,
    at: row.at,
    actor: row.actor,
    action: row.action,
    sessionId: row.session_id,
    target: row.target,
    data: parseObject(row.data),
    prevHash: row.prev_hash,
    hash: row.hash,
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
  } catch {
    // Kept as it is: the hash won't match, and that is what verification reports.
  }
  return { damaged: text }
}
