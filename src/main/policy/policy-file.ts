import { z } from 'zod'

const text = z.string().trim().min(1).max(500)

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
  /** Settings that the person can't change, by their names. */
  locked: z.record(z.string(), z.unknown()).optional(),
})
export type Policy = z.infer<typeof Policy>

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
