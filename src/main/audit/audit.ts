import type { AuditAction, AuditActor, AuditEvent } from '@shared/domain/audit'
import { auditHead, insertAudit } from '../db/audit-rows'
import type { Db } from '../db/open'
import { faultPoint } from '../lib/fault-point'
import { entryHash, START } from './chain'
import { contextOf } from './context'
import type { Writer } from './context'

export interface NewAuditEvent extends Pick<AuditEvent, 'sessionId' | 'target' | 'data'> {
  actor: AuditActor
  action: AuditAction
}

export interface Audit {
  /**
   * Appends inside the transaction of what it records: call it within `db.durable` or `db.tx`. Outside of one it makes
   * its own, so that the last entry can't change between the look at it and the write, whoever writes.
   */
  append(event: NewAuditEvent): void
}

export interface AuditDeps {
  db: Db
  now(): number
  writer?: Writer
  /** After each entry, maybe before its transaction ended. */
  appended?(): void
}

export function createAudit(deps: AuditDeps): Audit {
  return {
    append(event) {
      if (deps.db.sql.inTransaction) append(deps, event)
      else deps.db.durable(() => append(deps, event))
      deps.appended?.()
    },
  }
}

function append({ db, now, writer }: AuditDeps, event: NewAuditEvent): void {
  faultPoint('audit.before-append')
  const last = auditHead(db.sql) ?? START
  const context = contextOf(db.sql, event, writer)
  const given = Object.keys(context).length > 0 ? { ...event.data, context } : event.data
  // JSON first: what is hashed must be what can be read back.
  const data = JSON.parse(JSON.stringify(given)) as Record<string, unknown>
  const entry = { ...event, data, seq: last.seq + 1, at: now(), prevHash: last.hash }
  insertAudit(db.sql, { ...entry, hash: entryHash(entry) })
  faultPoint('audit.after-append')
}
