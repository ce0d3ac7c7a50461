import type { AuditEvent } from '@shared/domain/audit'
import { insertAudit, lastAudit } from '../db/audit-rows'
import type { Db } from '../db/open'
import { faultPoint } from '../lib/fault-point'
import { entryHash, GENESIS } from './chain'

export type NewAuditEvent = Pick<AuditEvent, 'actor' | 'action' | 'sessionId' | 'target' | 'data'>

export interface Audit {
  /**
   * Appends inside the transaction of what it records: call it within `db.durable` or `db.tx`. Outside of one it makes
   * its own, so that the last entry can't change between the look at it and the write, whoever writes.
   */
  append(event: NewAuditEvent): void
}

export function createAudit(deps: { db: Db; now(): number }): Audit {
  return {
    append(event) {
      if (deps.db.sql.inTransaction) append(deps, event)
      else deps.db.durable(() => append(deps, event))
    },
  }
}

function append({ db, now }: { db: Db; now(): number }, event: NewAuditEvent): void {
  faultPoint('audit.before-append')
  const last = lastAudit(db.sql)
  // JSON first: what is hashed must be what can be read back.
  const data = JSON.parse(JSON.stringify(event.data)) as Record<string, unknown>
  const entry = {
    ...event,
    data,
    seq: (last?.seq ?? 0) + 1,
    at: now(),
    prevHash: last?.hash ?? GENESIS,
  }
  insertAudit(db.sql, { ...entry, hash: entryHash(entry) })
  faultPoint('audit.after-append')
}
