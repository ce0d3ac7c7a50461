import { AppError } from '@shared/errors'
import type { AppEvent } from '@shared/events'
import type { Broker } from '../approvals/broker'
import { targetOf } from '../approvals/plan-record'
import type { Audit } from '../audit/audit'
import { extendedUntil } from '../db/audit-rows'
import type { Db } from '../db/open'
import type { RequestRow } from '../db/request-rows'
import type { Log } from '../lib/log'
import type { PolicyKeeper } from '../policy/keeper'
import { organisationOf } from '../policy/skill-policy'

interface TimeDeps {
  db: Pick<Db, 'sql'>
  policy: Pick<PolicyKeeper, 'now'>
}

export interface FollowTimeDeps extends TimeDeps {
  db: Db
  audit: Pick<Audit, 'append'>
  broker: Pick<Broker, 'pending'>
  expire(requestId: string, why: string): Promise<void>
  events: { emit(event: AppEvent): void }
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
/** A look that is so late was no mere delay. */
const ASLEEP_MS = 30_000

/** Ends requests that waited longer than the policy lets them; time never allows anything. Returns a function that stops. */
export function followRequestTime(deps: FollowTimeDeps): () => void {
  const look = createLook(deps)
  const timer = setInterval(() => void look(), LOOK_MS).unref()
  return () => clearInterval(timer)
}

/**
 * One look at what waits, to be made every ten seconds. A look that comes much later was kept from coming, by sleep of
 * the computer: what waits gets that time back before any of it can end (`ux.md` 3.2).
 */
export function createLook(deps: FollowTimeDeps): () => Promise<void> {
  let before = deps.now()
  return async () => {
    const lost = deps.now() - before - LOOK_MS
    before = deps.now()
    if (lost > ASLEEP_MS) giveBack(deps, lost)
    await expireOld(deps)
  }
}

/** As long as the computer slept; on record, so that every program and every start knows. */
function giveBack(deps: FollowTimeDeps, lost: number): void {
  const waiting = deps.broker.pending().flatMap((row) => {
    const end = endOfRequest(deps, row)
    return end === null ? [] : [{ row, until: end + lost }]
  })
  if (waiting.length === 0) return
  deps.db.durable(() => {
    for (const { row, until } of waiting) {
      deps.audit.append({
        actor: 'app',
        action: 'request.extended',
        sessionId: row.sessionId,
        target: targetOf(row.plan),
        data: { requestId: row.id, until, why: 'the computer slept' },
      })
    }
  })
  for (const { row } of waiting) deps.events.emit({ t: 'approvals.changed', sessionId: row.sessionId })
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
