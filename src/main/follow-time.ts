import type { Broker } from './approvals/broker'
import type { Log } from './lib/log'
import type { PolicyKeeper } from './policy/keeper'
import { organisationOf } from './policy/skill-policy'

export interface FollowTimeDeps {
  broker: Pick<Broker, 'pending'>
  policy: Pick<PolicyKeeper, 'now'>
  expire(requestId: string, why: string): Promise<void>
  now(): number
  log: Log
}

const LOOK_MS = 10_000
const MINUTE_MS = 60_000

/** Ends requests that waited longer than the policy lets them; time never allows anything. Returns a function that stops. */
export function followRequestTime(deps: FollowTimeDeps): () => void {
  const timer = setInterval(() => void expireOld(deps), LOOK_MS).unref()
  return () => clearInterval(timer)
}

export async function expireOld({ broker, policy, expire, now, log }: FollowTimeDeps): Promise<void> {
  const rules = policy.now().policy
  const minutes = rules?.request_timeout_minutes
  if (minutes === undefined) return
  const why = `Nobody answered within ${minutes} minutes, the limit of ${organisationOf(rules)}`
  for (const { id, createdAt } of broker.pending()) {
    if (now() - createdAt < minutes * MINUTE_MS) continue
    await expire(id, why).catch((error: unknown) => {
      log.warn('a request could not be ended', { reason: String(error) })
    })
  }
}
