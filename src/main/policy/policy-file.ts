import { z } from 'zod'
import { RuleMatch } from '@shared/domain/rule'

const text = z.string().trim().min(1).max(500)

/** A rule that names what it is about; those by fingerprint allow, and none here may. */
function isStrictRule(rule: unknown): boolean {
  const parsed = RuleMatch.safeParse(rule)
  return parsed.success && !('fingerprint' in parsed.data)
}

/** Which skills an entry of a list means. */
export const SkillRule = z.union([
  /** `name`, `*@scope` or `name@scope`. */
  text,
  z.object({ name: text, digest: text }).strict(),
  z.object({ digest: text }).strict(),
  z.object({ source: text }).strict(),
])
export type SkillRule = z.infer<typeof SkillRule>

/**
 * The policy file (`security.md` 4.2). It only tightens. What Satchel does not use yet is kept as it stands in the file,
 * in keys that are not listed here.
 */
export const Policy = z.looseObject({
  version: z.literal(1),
  organisation: text.optional(),
  policy_version: text.optional(),
  tenant: text.optional(),
  environment: text.optional(),
  skills: z
    .looseObject({
      allow: z.array(SkillRule).optional(),
      block: z.array(SkillRule).optional(),
      sources: z.array(text).optional(),
      scopes_off: z.array(text).optional(),
      new_need_approval: z.boolean().optional(),
    })
    .optional(),
  require_approval_for: z.array(text).optional(),
  /** Kinds of requests that no answer is remembered for. */
  never_remember: z.array(text).optional(),
  /** Denying and asking rules; one that allows makes the file unusable. */
  rules: z
    .array(
      z
        .looseObject({
          effect: z.enum(['deny', 'ask']),
          shape: text,
          match: z.record(z.string(), z.unknown()),
          reason: text.optional(),
        })
        .refine(({ shape, match }) => isStrictRule({ ...match, shape }), 'a rule that is not understood'),
    )
    .optional(),
  /** A request that nobody answers in this time expires; it is never allowed by time. */
  request_timeout_minutes: z.number().min(1).max(100_000).optional(),
  network: z.looseObject({ allow: z.array(text).optional() }).optional(),
  /** Ids or kinds of providers, or addresses, in which a star stands for anything. */
  providers: z.looseObject({ allow: z.array(text).optional() }).optional(),
  audit: z
    .looseObject({ write_to: text.optional(), retention_days: z.number().int().min(1).optional() })
    .optional(),
  /** Settings that the person can't change, by their names. */
  locked: z.record(z.string(), z.unknown()).optional(),
})
export type Policy = z.infer<typeof Policy>

/** While a policy is there that nobody can read: everything asks, nothing is remembered. */
export const LOCKED_DOWN: Policy = {
  version: 1,
  require_approval_for: ['scripts', 'network-tools', 'file-write'],
  never_remember: ['everything'],
  network: { allow: [] },
}

const SkillPolicy = z.looseObject({
  'skill-policy': z.looseObject({ 'require-approval-for': z.array(text) }),
})

/** Checks what was read from the file. Also understands S4's `skill-policy: require-approval-for: [...]`. */
export function policyFrom(value: unknown): { policy: Policy | null; notes: string[] } {
  const old = SkillPolicy.safeParse(value)
  const asked = old.success
    ? {
        version: 1,
        ...withoutOld(old.data),
        require_approval_for: old.data['skill-policy']['require-approval-for'],
      }
    : value
  const policy = Policy.safeParse(asked)
  if (policy.success) return { policy: policy.data, notes: [] }
  const [issue] = policy.error.issues
  const where = issue?.path.map(String).join('.') || 'The file'
  return {
    policy: null,
    notes: [`The policy is not used. ${where}: ${issue?.message ?? 'it is not understood'}.`],
  }
}

function withoutOld(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'skill-policy'))
}
