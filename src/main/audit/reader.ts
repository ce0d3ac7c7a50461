import type { SkillUse } from '@shared/domain/skill'
import type { AuditFilter, AuditFormat, AUDIT_CALLS } from '@shared/domain/audit'
import type { Handlers } from '@shared/ipc/define'
import { auditDetail, auditPage, auditSummary } from '../db/audit-query'
import { skillUse } from '../db/skill-use-query'
import { auditAfter, notedHead } from '../db/audit-rows'
import type { Connection } from '../db/open'
import { readAnchor } from './anchor'
import { START, verifyInSlices } from './chain'
import type { ChainPoint } from './chain'
import { exported, exportTo } from './export'

export interface ExportJob {
  filter: AuditFilter
  upTo: number
  format: AuditFormat
  path: string
}

/** Answers questions about the record; long work is done in slices, so that others are answered in between. */
export function createAuditReader({ sql, dataDir }: { sql(): Connection; dataDir: string }): Handlers<
  typeof AUDIT_CALLS
> & {
  'skills.use'(asked: { now: number }): SkillUse[]
  'audit.export'(job: ExportJob): Promise<{ rows: number }>
} {
  let sound: ChainPoint = START
  return {
    'audit.query': (query) => auditPage(sql(), query),
    'audit.summary': ({ filter, offsetMs }) => auditSummary(sql(), filter, offsetMs),
    'skills.use': ({ now }) => skillUse(sql(), now),
    'audit.entry': ({ seq }) => auditDetail(sql(), seq),
    async 'audit.verify'({ sinceLast = false }) {
      const from = sinceLast ? sound : START
      const { verdict, at } = await verifyInSlices(chainReader(sql(), dataDir), from)
      if (verdict.firstBad === null) sound = at
      return verdict
    },
    async 'audit.export'({ path, ...what }) {
      return { rows: await exportTo(path, exported(sql(), what), pause) }
    },
  }
}

/** What was noted is read first: an entry that comes meanwhile is later than both. */
export function chainReader(sql: Connection, dataDir: string) {
  const points = [readAnchor(dataDir), notedHead(sql)].filter((point) => point !== null)
  return { points, after: (seq: number, limit: number) => auditAfter(sql, seq, limit), pause }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
