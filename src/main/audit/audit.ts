import type { AuditEvent } from '@shared/domain/audit'
import { insertAudit, lastAudit } from '../db/audit-rows'
import type { Db } from '../db/open'
import { entryHash, GENESIS } from './chain'

export type NewAuditEvent = Pick<AuditEvent, 'actor' | 'action' | 'sessionId' | 'target' | 'data'>

export interface Audit {
  /** Appends inside the transaction of what it records: call it within `db.durable` or `db.tx`. */
  append(event: NewAuditEvent): void
}

export function createAudit(deps: { db: Db; now(): number }): Audit {
  return {
    append(event) {
      const last = lastAudit(deps.db.sql)
      // JSON first: what is hashed must be what can be read back.
      const data = JSON.parse(JSON.stringify(event.data)) as Record<string, unknown>
      const entry = {
        ...event,
        data,
        seq: (last?.seq ?? 0) + 1,
        at: deps.now(),
        prevHash: last?.hash ?? GENESIS,
      }
      insertAudit(deps.db.sql, { ...entry, hash: entryHash(entry) })
    },
  }
}
