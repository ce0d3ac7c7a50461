import { z } from 'zod'
import { call } from '../ipc/define'

const DAY_MS = 86_400_000

/** Event kinds of `ux.md` 3.6 that exist so far; `docs/audit.md` says when each is written. */
export const AuditAction = z.enum([
  'skill.loaded',
  'skill.unloaded',
  'skill.read',
  'skill.switched',
  'skill.pinned',
  'skill.saved',
  'trial.began',
  'trial.ended',
  'proposal.created',
  'file.read',
  'file.written',
  'mcp.called',
  'mcp.started',
  'mcp.failed',
  'mcp.ended',
  'request.created',
  'request.edited',
  'request.allowed',
  'request.denied',
  'request.stale',
  'request.cancelled',
  'request.expired',
  'request.extended',
  'request.refused',
  'request.auto_allowed',
  'request.auto_denied',
  'request.superseded',
  'rule.created',
  'rule.changed',
  'rule.revoked',
  'rule.disabled',
  'mode.changed',
  'run.started',
  'run.finished',
  'record.doubted',
  'run.changes',
  'run.undone',
  'secret.saved',
  'secret.deleted',
  'secret.granted',
  'secret.revoked',
  'host.granted',
  'host.revoked',
  'environment.prepared',
  'environment.removed',
  'agent.changed',
  'agent.confirmed',
  'agent.added',
  'agent.edited',
  'agent.removed',
  'agent.began',
  'agent.ended',
  'project.trusted',
  'project.untrusted',
  'settings.changed',
  'policy.changed',
  'provider.changed',
  'skill.installed',
  'skill.edited',
  'skill.moved',
  'skill.deleted',
  'skill.created',
  'skill.copied',
  'skill.renamed',
  'skill.restored',
  'export.made',
  'security.blocked',
])
export type AuditAction = z.infer<typeof AuditAction>

export type AuditActor = 'person' | 'agent' | 'app'

/** One entry of the append-only record. `hash` covers every other field and `prevHash` (AP-11). */
export const AuditEvent = z.object({
  seq: z.number().int().positive(),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Who did it (`AuditActor`); a newer Satchel may know more. */
  actor: z.string(),
  /** What was done (`AuditAction`); a newer Satchel may know more. */
  action: z.string(),
  sessionId: z.string().nullable(),
  /** What it was done to: a skill name, a script, a project folder. */
  target: z.string(),
  data: z.record(z.string(), z.unknown()),
  prevHash: z.string(),
  hash: z.string(),
})
export type AuditEvent = z.infer<typeof AuditEvent>

/** What is kept of the circumstances of every entry, in `data.context`; what is not known is left out. */
export const AuditContext = z.object({
  /** Name of the account on this computer. */
  person: z.string().optional(),
  /** The run of Satchel that wrote it; `mono` can be compared within one. */
  program: z.string().optional(),
  /** Milliseconds of a clock that is never set. */
  mono: z.number().optional(),
  agent: z.string().optional(),
  agentDigest: z.string().optional(),
  model: z.string().optional(),
  project: z.string().optional(),
  /** Number of the step in the chat. */
  step: z.number().optional(),
  /** A person asked for this run, no agent. */
  typed: z.boolean().optional(),
  skill: z.string().optional(),
  /** Of a chat that tries the unsaved text of this skill. */
  unsaved: z.string().optional(),
})
export type AuditContext = z.infer<typeof AuditContext>

/** Views of the record: which kinds of entries are meant. */
export const AuditView = z.enum(['everything', 'runs', 'denied', 'skills', 'rules', 'settings'])
export type AuditView = z.infer<typeof AuditView>

const text = z.string().min(1).max(500)

/** What narrows the record; everything that is given must hold. */
export const AuditFilter = z
  .object({
    view: AuditView,
    /** Words, all of which are in the entry. */
    text: z.string().max(500),
    /** Milliseconds since 1970, the first included, the last not. */
    since: z.number(),
    until: z.number(),
    actions: z.array(text).max(100),
    skill: text,
    agent: text,
    project: text,
    sessionId: text,
    person: text,
    decision: z.enum(['allowed', 'rule', 'denied', 'unanswered']),
    result: z.enum(['succeeded', 'failed']),
    /** Beginning of a hash or digest, of the entry or in it. */
    hash: text,
  })
  .partial()
  .strict()
export type AuditFilter = z.infer<typeof AuditFilter>

/** Why an entry is the first bad one. */
export const AuditFault = z.enum(['changed', 'missing', 'order', 'cut-off', 'output'])
export type AuditFault = z.infer<typeof AuditFault>

export const AuditVerdict = z.object({
  entries: z.number().int().nonnegative(),
  /** Sequence number of the first entry that does not match; null when the chain holds. */
  firstBad: z.number().int().nullable(),
  /** Only with `firstBad`. */
  fault: AuditFault.optional(),
  /** What else is odd, in sentences: it proves nothing, and a person should know. */
  remarks: z.array(z.string()).optional(),
})
export type AuditVerdict = z.infer<typeof AuditVerdict>

/** A part of the record, newest first. Entries after `upTo` are left out, so that places do not move. */
export const AuditPageQuery = z.object({
  filter: AuditFilter.optional(),
  upTo: z.number().int().nonnegative().optional(),
  offset: z.number().int().nonnegative().optional(),
  limit: z.number().int().min(1).max(500),
})
export type AuditPageQuery = z.infer<typeof AuditPageQuery>

export const AuditDay = z.object({
  /** Days since 1970 in the zone that was asked for. */
  day: z.number().int(),
  reads: z.number(),
  runs: z.number(),
  denied: z.number(),
})
export type AuditDay = z.infer<typeof AuditDay>

/** What the strip above the list shows, and what can be chosen. */
export const AuditSummary = z.object({
  /** Number of the newest entry; 0: there is none. */
  head: z.number().int(),
  /** How many entries fit. */
  total: z.number().int(),
  days: z.array(AuditDay),
  facts: z.object({
    runs: z.number(),
    allowed: z.number(),
    byRule: z.number(),
    denied: z.number(),
    /** Of people's decisions, in milliseconds; null: there is none. */
    medianDecideMs: z.number().nullable(),
  }),
  /** How many entries each view has with the other filters. */
  views: z.record(AuditView, z.number()),
  choices: z.object({
    skills: z.array(z.string()),
    agents: z.array(z.string()),
    projects: z.array(z.string()),
  }),
})
export type AuditSummary = z.infer<typeof AuditSummary>

/** One entry with what the database knows of it besides. */
export const AuditDetail = z.object({
  event: AuditEvent,
  /** Null: the chat is gone, or there is none. */
  chat: z.object({ id: z.string(), title: z.string() }).nullable(),
  run: z
    .object({
      id: z.string(),
      argv: z.array(z.string()),
      cwd: z.string(),
      status: z.string(),
      exitCode: z.number().nullable(),
      backend: z.string(),
      startedAt: z.number(),
      endedAt: z.number().nullable(),
      treeDigest: z.string(),
    })
    .nullable(),
  request: z
    .object({
      id: z.string(),
      status: z.string(),
      decidedBy: z.string().nullable(),
      note: z.string().nullable(),
      askReason: z.string(),
      createdAt: z.number(),
      decidedAt: z.number().nullable(),
      scriptSha256: z.string().nullable(),
    })
    .nullable(),
  /** The run of the same script before this one. */
  previous: z.object({ seq: z.number(), treeDigest: z.string(), exitCode: z.number().nullable() }).nullable(),
})
export type AuditDetail = z.infer<typeof AuditDetail>

export const AuditFormat = z.enum(['csv', 'jsonl'])
export type AuditFormat = z.infer<typeof AuditFormat>

/** Questions about the record that take long enough for a thread of their own; `offsetMs` is the zone's from UTC. */
export const AUDIT_CALLS = {
  'audit.query': call(AuditPageQuery, z.array(AuditEvent)),
  'audit.summary': call(
    z.object({ filter: AuditFilter, offsetMs: z.number().int().min(-DAY_MS).max(DAY_MS) }),
    AuditSummary,
  ),
  'audit.entry': call(z.object({ seq: z.number().int().positive() }), AuditDetail.nullable()),
  /** `sinceLast`: only what came after the last check of this program that found nothing. */
  'audit.verify': call(
    z.object({ sinceLast: z.boolean().optional(), outputs: z.boolean().optional() }),
    AuditVerdict,
  ),
}
