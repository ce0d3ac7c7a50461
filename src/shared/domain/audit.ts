import { z } from 'zod'

/** Event kinds of `ux.md` 3.6 that exist so far. */
export const AuditAction = z.enum([
  'skill.loaded',
  'skill.unloaded',
  'skill.read',
  'skill.switched',
  'skill.pinned',
  'proposal.created',
  'file.read',
  'file.written',
  'mcp.called',
  'request.created',
  'request.allowed',
  'request.denied',
  'request.stale',
  'request.cancelled',
  'request.expired',
  'request.refused',
  'run.started',
  'run.finished',
  'run.changes',
  'run.undone',
  'secret.saved',
  'secret.deleted',
  'secret.granted',
  'secret.revoked',
  'agent.changed',
  'agent.confirmed',
  'agent.began',
  'agent.ended',
  'project.trusted',
  'project.untrusted',
  'settings.changed',
  'security.blocked',
])
export type AuditAction = z.infer<typeof AuditAction>

/** One entry of the append-only record. `hash` covers every other field and `prevHash` (AP-11). */
export const AuditEvent = z.object({
  seq: z.number().int().positive(),
  /** Milliseconds since 1970. */
  at: z.number(),
  actor: z.enum(['person', 'agent', 'app']),
  action: AuditAction,
  sessionId: z.string().nullable(),
  /** What it was done to: a skill name, a script, a project folder. */
  target: z.string(),
  data: z.record(z.string(), z.unknown()),
  prevHash: z.string(),
  hash: z.string(),
})
export type AuditEvent = z.infer<typeof AuditEvent>

export const AuditVerdict = z.object({
  entries: z.number().int().nonnegative(),
  /** Sequence number of the first entry that does not match; null when the chain holds. */
  firstBad: z.number().int().nullable(),
})
export type AuditVerdict = z.infer<typeof AuditVerdict>
