import { AppError } from '@shared/errors'
import type { Audit } from './audit/audit'
import type { PolicyKeeper } from './policy/keeper'
import { whyNotTheseBytes } from './policy/skill-policy'
import type { PolicySkill } from './policy/skill-policy'
import type { Store } from './skills/store'

/** Why the policy in force keeps these bytes of a skill from being used; null: it does not. */
export function blockedBytes(policy: PolicyKeeper): (skill: PolicySkill, digest: string) => string | null {
  return (skill, digest) => whyNotTheseBytes(policy.now().policy, skill, digest)
}

/** The store for chats: what the organisation does not allow is not given out, and that it was wanted is on record. */
export function guardedStore(store: Store, audit: Audit, whyBlocked: ReturnType<typeof blockedBytes>): Store {
  return {
    ...store,
    async snapshot(record) {
      const snapshot = await store.snapshot(record)
      const why = whyBlocked(record, snapshot.digest)
      if (why === null) return snapshot
      const data = { skill: record.name, key: record.key, digest: snapshot.digest, why }
      audit.append({ actor: 'app', action: 'security.blocked', sessionId: null, target: record.name, data })
      throw new AppError('blocked_by_policy', `The skill "${record.name}" can't be used here. ${why}`)
    },
  }
}
