import { z } from 'zod'
import { AUDIT_CALLS, AuditFilter, AuditFormat } from '@shared/domain/audit'
import { SkillHit as ShownHit, SkillUse } from '@shared/domain/skill'
import { call } from '@shared/ipc/define'

const Nothing = z.object({})

/** A skill as the index needs it; its body and files are read in the worker. */
export const IndexedSkill = z.object({
  key: z.string(),
  name: z.string(),
  /** The name as it was written, where that is no handle; else empty or left out. */
  label: z.string().optional(),
  description: z.string(),
  tags: z.array(z.string()),
  skillMd: z.string(),
  /** Real path of its folder. */
  rootDir: z.string(),
  /** Changes whenever the skill may have changed. */
  stamp: z.string(),
})
export type IndexedSkill = z.infer<typeof IndexedSkill>

/** One match, best first. Of the score only the order means something. */
export const SkillHit = ShownHit.extend({ score: z.number() })
export type SkillHit = z.infer<typeof SkillHit>

/** What main asks of the worker thread, which holds connections of its own. */
export const workerContract = {
  'skills.stamps': call(Nothing, z.array(IndexedSkill.pick({ key: true, stamp: true }))),
  'skills.index': call(
    z.object({ upsert: z.array(IndexedSkill).max(1000), remove: z.array(z.string()) }),
    Nothing,
  ),
  'skills.search': call(
    z.object({ query: z.string(), limit: z.number().int().min(1).max(1000) }),
    z.array(SkillHit),
  ),
  ...AUDIT_CALLS,
  'skills.use': call(z.object({ now: z.number() }), z.array(SkillUse)),
  /** Into a file that the person chose. */
  'audit.export': call(
    z.object({ filter: AuditFilter, upTo: z.number(), format: AuditFormat, path: z.string() }),
    z.object({ rows: z.number() }),
  ),
}
export type WorkerContract = typeof workerContract

/** What a worker is started with. */
export const WorkerData = z.object({ dbFile: z.string(), indexFile: z.string() })
export type WorkerData = z.infer<typeof WorkerData>
