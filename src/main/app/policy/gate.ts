import { RuleMatch } from '@shared/domain/rule'
import type { Rule } from '@shared/domain/rule'
import { AppError } from '@shared/errors'
import type { PolicyGrounds } from '../../approvals/rules/decide'
import type { Audit } from '../../audit/audit'
import type { PolicyKeeper } from '../../policy/keeper'
import type { Policy } from '../../policy/policy-file'
import { whyNotTheseBytes } from '../../policy/skill-policy'
import type { PolicySkill } from '../../policy/skill-policy'
import type { Store } from '../../skills/store/store'

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

/** What the policy demands of decisions: its rules, and what no answer is remembered for. */
export function policyGrounds(policy: Policy | null): PolicyGrounds | null {
  if (!policy) return null
  const { never_remember: neverRemember = [], require_approval_for: required = [], rules = [] } = policy
  return {
    rules: rules.map(({ effect, shape, match, reason }, n) =>
      policyRule({ effect, match: RuleMatch.parse({ ...match, shape }), reason }, n),
    ),
    neverRemember,
    requireApprovalFor: required,
  }
}

function policyRule(
  { effect, match, reason }: Pick<Rule, 'effect' | 'match'> & { reason: string | undefined },
  n: number,
): Rule {
  return {
    id: `policy-${n + 1}`,
    effect,
    match,
    agent: null,
    project: null,
    lifetime: 'always',
    chatId: null,
    expiresAt: null,
    state: 'on',
    origin: 'policy',
    createdAt: 0,
    createdFrom: null,
    lastUsedAt: null,
    useCount: 0,
    justification: reason ?? null,
    example: null,
  }
}
