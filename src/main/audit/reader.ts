import { join } from 'node:path'
import type { SkillUse } from '@shared/domain/skill'
import type { AuditFilter, AuditFormat, AUDIT_CALLS } from '@shared/domain/audit'
import type { Handlers } from '@shared/ipc/define'
import { auditDetail, auditPage, auditSummary } from '../db/audit-query'
import { skillUse } from '../db/skill-use-query'
import { auditAfter, notedHead, writtenUpTo } from '../db/audit-rows'
import type { Connection } from '../db/open'
import { outputDigests } from '../lib/output-digest'
import { ANCHOR, readAnchor } from './anchor'
import { noteRemark, START, verifyInSlices } from './chain'
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
  let remarks: string[] = []
  return {
    'audit.query': (query) => auditPage(sql(), query),
    'audit.summary': ({ filter, offsetMs }) => auditSummary(sql(), filter, offsetMs),
    'skills.use': ({ now }) => skillUse(sql(), now),
    'audit.entry': ({ seq }) => auditDetail(sql(), seq),
    async 'audit.verify'({ sinceLast = false, outputs = false }) {
      const from = sinceLast ? sound : START
      if (from === START) remarks = []
      const checked = await verified(chainReader(sql(), dataDir, outputs), from)
      if (checked.verdict.firstBad === null) sound = checked.at
      remarks = [...new Set([...remarks, ...(checked.verdict.remarks ?? [])])]
      return remarks.length > 0 ? { ...checked.verdict, remarks } : checked.verdict
    },
    async 'audit.export'({ path, ...what }) {
      return { rows: await exportTo(path, exported(sql(), what), pause) }
    },
  }
}

/** `verifyInSlices`, with what is odd about the note of the end now. */
export async function verified(
  reader: ReturnType<typeof chainReader>,
  from: ChainPoint = START,
): ReturnType<typeof verifyInSlices> {
  const { verdict, at } = await verifyInSlices(reader, from)
  if (reader.remark === null) return { verdict, at }
  return { verdict: { ...verdict, remarks: [...(verdict.remarks ?? []), reader.remark] }, at }
}

/** What was noted is read first: an entry that comes meanwhile is later than both. */
export function chainReader(sql: Connection, dataDir: string, withOutputs = false) {
  const anchor = readAnchor(dataDir)
  const isMissed = anchor === 'missing' && writtenUpTo(sql, ANCHOR) > 0
  return {
    points: [typeof anchor === 'string' ? null : anchor, notedHead(sql)].filter((point) => point !== null),
    remark: isMissed || anchor === 'broken' ? noteRemark(anchor === 'broken', null) : null,
    after: (seq: number, limit: number) => auditAfter(sql, seq, limit),
    ...(withOutputs ? { outputs: outputDigests(join(dataDir, 'runs')) } : {}),
    pause,
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
