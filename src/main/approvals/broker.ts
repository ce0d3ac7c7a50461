import { isAllowed, type Decision } from '@shared/domain/approval'
import type { AuditAction } from '@shared/domain/audit'
import { AppError } from '@shared/errors'
import type { Audit } from '../audit/audit'
import type { Db } from '../db/open'
import {
  getRequest,
  insertRequest,
  pendingRequests,
  unusedApprovals,
  updateRequest,
  type RequestRow,
} from '../db/request-rows'
import { newId } from '../lib/ids'
import { identityOf, targetOf } from './plan-record'

export type NewRequest = Pick<
  RequestRow,
  | 'sessionId'
  | 'callId'
  | 'plan'
  | 'planHash'
  | 'findings'
  | 'askReason'
  | 'reviewRequired'
  | 'changed'
  | 'agentName'
  | 'lastUserMessage'
  | 'tool'
  | 'agentKey'
  | 'projectDir'
>

/** What decided a request instead of a person: a rule, or the mode of the chat. */
export interface ByRule {
  outcome: 'allow' | 'deny'
  /** Null: the mode. */
  rule: { id: string; text: string } | null
}

/**
 * Keeps requests and their decisions as rows; nothing waits in memory. Methods that change a row must be called
 * inside a transaction of the caller, together with what they cause. `check` opens its own.
 */
export interface Broker {
  /** With `decided` nobody is asked. `asking`: the rule that makes this be asked. */
  open(input: NewRequest, decided?: ByRule | null, asking?: ByRule['rule']): RequestRow
  /**
   * The request that a decision means. Throws `not_found`, `already_decided`, `stale` (another revision or plan was
   * seen) or `not_ready` (a serious finding was not ticked). Refusals are on record.
   */
  check(decision: Decision): RequestRow
  approve(row: RequestRow): RequestRow
  deny(row: RequestRow, note: string | null): RequestRow
  /** What waits is decided by a rule that was made meanwhile, or by another mode. */
  byRule(row: RequestRow, decided: ByRule): RequestRow
  /** A person changed what it asks for; `into` is what is asked in its place. */
  edited(row: RequestRow, into: Pick<NewRequest, 'plan' | 'planHash'>): RequestRow
  /** What was shown is not what is there any more; says nothing about the person's wish. */
  stale(row: RequestRow, why: string): RequestRow
  cancel(row: RequestRow): RequestRow
  /** Nobody is there to answer, which is never an answer (`approvals.md` 11). */
  expire(row: RequestRow, why: string): RequestRow
  /** Spends an approval on a run: once, and only for the plan that was approved. Throws otherwise. */
  claim(requestId: string, hash: string): RequestRow
  get(id: string): RequestRow | null
  pending(sessionId?: string): RequestRow[]
  /** At start: everything that waits is marked restored; an approval that started nothing is asked for again. */
  restore(which?: Restored): void
}

/** Next to another living program not everything that waits was left by one that ended. */
export interface Restored {
  /** No living program works on this chat. */
  isMine(sessionId: string): boolean
  /** No other program lives: whatever waits has waited since before this start. */
  isAlone: boolean
}

interface Context {
  db: Db
  audit: Audit
  now(): number
}

export function createBroker(deps: Context): Broker {
  return {
    open: (input, decided = null, asking = null) => open(deps, input, decided, asking),
    check: (decision) => check(deps, decision),
    approve: (row) => decide(deps, row, { status: 'approved', action: 'request.allowed', note: null }),
    deny: (row, note) => decide(deps, row, { status: 'denied', action: 'request.denied', note }),
    byRule: (row, { outcome, rule }) =>
      decide(deps, row, {
        status: outcome === 'allow' ? 'superseded' : 'denied',
        action: outcome === 'allow' ? 'request.superseded' : 'request.denied',
        note: null,
        rule,
        by: rule ? 'rule' : 'mode',
      }),
    edited: (row, { plan, planHash }) =>
      close(deps, row, {
        status: 'edited',
        action: 'request.edited',
        actor: 'person',
        data: { into: { planHash, ...identityOf(plan) } },
      }),
    stale: (row, why) => close(deps, row, { status: 'stale', action: 'request.stale', data: { why } }),
    cancel: (row) =>
      close(deps, row, { status: 'cancelled', action: 'request.cancelled', data: { why: 'stopped' } }),
    expire: (row, why) => close(deps, row, { status: 'expired', action: 'request.expired', data: { why } }),
    claim: (requestId, hash) => claim(deps, requestId, hash),
    get: (id) => getRequest(deps.db.sql, id),
    pending: (sessionId) => pendingRequests(deps.db.sql, sessionId),
    restore: (which = { isMine: () => true, isAlone: true }) => restore(deps, which),
  }
}

function open(
  context: Context,
  input: NewRequest,
  decided: ByRule | null,
  asking: ByRule['rule'],
): RequestRow {
  const row: RequestRow = {
    ...input,
    id: newId('req'),
    revision: 1,
    status: 'pending',
    decidedBy: null,
    note: null,
    restored: false,
    createdAt: context.now(),
    decidedAt: null,
    usedAt: null,
    ruleId: asking?.id ?? null,
    ruleText: asking?.text ?? null,
  }
  insertRequest(context.db.sql, row)
  context.audit.append({
    actor: 'agent',
    action: 'request.created',
    sessionId: row.sessionId,
    target: targetOf(row.plan),
    data: { requestId: row.id, callId: row.callId, planHash: row.planHash, ...identityOf(row.plan) },
  })
  if (!decided) return row
  const allows = decided.outcome === 'allow'
  return decide(context, row, {
    status: allows ? 'auto_allowed' : 'auto_denied',
    action: allows ? 'request.auto_allowed' : 'request.auto_denied',
    note: null,
    rule: decided.rule,
    by: decided.rule ? 'rule' : 'mode',
  })
}

function check(context: Context, decision: Decision): RequestRow {
  const row = getRequest(context.db.sql, decision.requestId)
  if (!row) throw new AppError('not_found', 'This request does not exist any more.')
  const refusal = refusalOf(row, decision)
  if (!refusal) return row
  context.db.durable(() =>
    context.audit.append({
      actor: 'person',
      action: 'request.refused',
      sessionId: row.sessionId,
      target: targetOf(row.plan),
      data: { requestId: row.id, choice: decision.choice, why: refusal.code },
    }),
  )
  throw refusal
}

function refusalOf(row: RequestRow, decision: Decision): AppError | null {
  if (row.status !== 'pending') {
    return new AppError('already_decided', `This request was ${row.status} already. Nothing more was done.`)
  }
  if (row.revision !== decision.revision || row.planHash !== decision.planHash) {
    return new AppError('stale', 'The request changed since it was shown. Look at it again, then decide.')
  }
  const missing = row.findings.filter((f) => f.level === 'serious' && !decision.acknowledged.includes(f.id))
  if (allows(decision) && missing.length > 0) {
    return new AppError(
      'not_ready',
      `Tick every serious finding first: ${missing.map((f) => f.title).join(', ')}.`,
    )
  }
  return null
}

function allows({ choice }: Decision): boolean {
  return choice === 'once' || choice === 'chat' || choice === 'always'
}

interface Outcome {
  status: 'approved' | 'denied' | 'auto_allowed' | 'auto_denied' | 'superseded'
  action: Extract<AuditAction, `request.${string}`>
  note: string | null
  rule?: ByRule['rule']
  /** Left out: a person. */
  by?: 'rule' | 'mode'
}

function decide(context: Context, row: RequestRow, outcome: Outcome): RequestRow {
  const decided: RequestRow = {
    ...row,
    status: outcome.status,
    decidedBy: outcome.by ?? 'person',
    note: outcome.note,
    decidedAt: context.now(),
    ruleId: outcome.rule?.id ?? row.ruleId,
    ruleText: outcome.rule?.text ?? row.ruleText,
  }
  updateRequest(context.db.sql, decided)
  context.audit.append({
    actor: outcome.by ? 'app' : 'person',
    action: outcome.action,
    sessionId: row.sessionId,
    target: targetOf(row.plan),
    data: {
      requestId: row.id,
      planHash: row.planHash,
      ...identityOf(row.plan),
      note: outcome.note,
      ...(outcome.by ? { by: outcome.by, ruleId: outcome.rule?.id ?? null } : {}),
      waitedMs: context.now() - row.createdAt,
    },
  })
  return decided
}

interface Closing {
  status: 'stale' | 'cancelled' | 'expired' | 'edited'
  action: 'request.stale' | 'request.cancelled' | 'request.expired' | 'request.edited'
  /** Left out: the app itself. */
  actor?: 'person'
  data: Record<string, unknown>
}

function close(context: Context, row: RequestRow, closing: Closing): RequestRow {
  const closed: RequestRow = { ...row, status: closing.status, decidedAt: context.now() }
  updateRequest(context.db.sql, closed)
  context.audit.append({
    actor: closing.actor ?? 'app',
    action: closing.action,
    sessionId: row.sessionId,
    target: targetOf(row.plan),
    data: { requestId: row.id, planHash: row.planHash, ...identityOf(row.plan), ...closing.data },
  })
  return closed
}

function claim(context: Context, requestId: string, hash: string): RequestRow {
  const row = getRequest(context.db.sql, requestId)
  if (!row || !isAllowed(row.status) || row.usedAt !== null) {
    throw new AppError('stale', 'This run has no approval that is still good. It was not started.')
  }
  if (row.planHash !== hash)
    throw new AppError('stale', 'What was approved is not what would run. It was not started.')
  const used = { ...row, usedAt: context.now() }
  updateRequest(context.db.sql, used)
  return used
}

function restore({ db }: Context, { isMine, isAlone }: Restored): void {
  const mine = ({ sessionId }: RequestRow) => isMine(sessionId)
  const waiting = isAlone ? pendingRequests(db.sql).filter(mine) : []
  const unused = unusedApprovals(db.sql).filter(mine)
  for (const row of waiting) updateRequest(db.sql, { ...row, restored: true })
  for (const row of unused) {
    updateRequest(db.sql, {
      ...row,
      status: 'pending',
      revision: row.revision + 1,
      decidedBy: null,
      decidedAt: null,
      ruleId: null,
      ruleText: null,
      restored: true,
    })
  }
}
