import { AppError } from '@shared/errors'
import type { Broker } from './approvals/broker'
import { targetOf } from './approvals/plan-record'
import type { Audit } from './audit/audit'
import { extendedUntil } from './db/audit-rows'
import type { Db } from './db/open'
import type { RequestRow } from './db/request-rows'
import type { Log } from './lib/log'
import type { PolicyKeeper } from './policy/keeper'
import { organisationOf } from './policy/skill-policy'

interface TimeDeps {
  db: Pick<Db, 'sql'>
  policy: Pick<PolicyKeeper, 'now'>
}

export interface FollowTimeDeps extends TimeDeps {
  broker: Pick<Broker, 'pending'>
  expire(requestId: string, why: string): Promise<void>
  now(): number
  log: Log
}

export interface ExtendDeps extends TimeDeps {
  db: Db
  audit: Pick<Audit, 'append'>
  broker: Pick<Broker, 'get'>
  now(): number
}

const LOOK_MS = 10_000
const MINUTE_MS = 60_000
const EXTEND_MS = 5 * MINUTE_MS

/** Ends requests that waited longer than the policy lets them; time never allows anything. Returns a function that stops. */
export function followRequestTime(deps: FollowTimeDeps): () => void {
  const timer = setInterval(() => void expireOld(deps), LOOK_MS).unref()
  return () => clearInterval(timer)
}

export async function expireOld(deps: FollowTimeDeps): Promise<void> {
  const rules = deps.policy.now().policy
  const minutes = rules?.request_timeout_minutes
  if (minutes === undefined) return
  const why = `Nobody answered within ${minutes} minutes, the limit of ${organisationOf(rules)}`
  for (const row of deps.broker.pending()) {
    if (deps.now() < (endOfRequest(deps, row) ?? Infinity)) continue
    await deps.expire(row.id, why).catch((error: unknown) => {
      deps.log.warn('a request could not be ended', { reason: String(error) })
    })
  }
}

/** When a request ends that nobody answers, in milliseconds since 1970; null: never. */
export function endOfRequest(
  { db, policy }: TimeDeps,
  { id, createdAt, sessionId, status }: Pick<RequestRow, 'id' | 'createdAt' | 'sessionId' | 'status'>,
): number | null {
  const minutes = policy.now().policy?.request_timeout_minutes
  if (minutes === undefined || status !== 'pending') return null
  return Math.max(createdAt + minutes * MINUTE_MS, extendedUntil(db.sql, sessionId, id) ?? 0)
}

/**
 * A person gives a request five minutes more. The record holds it, so that every program and every start knows. Returns
 * when it ends then. Throws `already_decided`.
 */
export function extendRequest(deps: ExtendDeps, requestId: string): number {
  const { audit, broker, db, now } = deps
  return db.durable(() => {
    const row = broker.get(requestId)
    const end = row && endOfRequest(deps, row)
    if (!row || end === null)
      throw new AppError('already_decided', 'This request does not wait for a time that could be extended.')
    const until = Math.max(end, now()) + EXTEND_MS
    audit.append({
      actor: 'person',
      action: 'request.extended',
      sessionId: row.sessionId,
      target: targetOf(row.plan),
      data: { requestId, until },
    })
    return until
  })
}
