import type { AuditFilter, AuditView } from './domain/audit'

/** Beginnings of the event kinds of a view; a kind fits where it is one of them, or begins with one that ends in a dot. */
export const VIEW_KINDS: Record<AuditView, readonly string[]> = {
  everything: [],
  runs: ['request.', 'run.'],
  denied: ['request.denied', 'request.refused', 'request.expired', 'request.auto_denied', 'security.blocked'],
  skills: [
    'skill.installed',
    'skill.edited',
    'skill.saved',
    'skill.moved',
    'skill.deleted',
    'skill.created',
    'skill.copied',
    'skill.renamed',
    'skill.restored',
    'skill.switched',
    'skill.pinned',
    'proposal.',
  ],
  rules: ['rule.'],
  settings: [
    'settings.',
    'mode.',
    'policy.',
    'project.',
    'provider.',
    'export.',
    'agent.added',
    'agent.edited',
    'agent.removed',
    'mcp.started',
    'mcp.failed',
    'mcp.ended',
  ],
}

/** The three parts of a day's bar. */
export const DAY_KINDS = {
  reads: ['skill.loaded', 'skill.read', 'file.read'],
  runs: ['run.started'],
  denied: VIEW_KINDS.denied,
} as const

/** Event kinds of a decision. */
export const DECISION_KINDS: Record<NonNullable<AuditFilter['decision']>, readonly string[]> = {
  allowed: ['request.allowed', 'request.auto_allowed'],
  rule: ['request.auto_allowed'],
  denied: ['request.denied', 'request.auto_denied'],
  unanswered: ['request.expired', 'request.cancelled', 'request.stale'],
}
