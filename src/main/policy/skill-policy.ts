import type { Scope } from '@shared/domain/skill'
import { foldName } from '@shared/skill-md/skill-name'
import type { SkillRule } from './policy-entries'
import type { Policy } from './policy-file'

/** What a list of skills looks at. */
export interface PolicySkill {
  name: string
  scope: Scope
}

/** Skills that come with the organisation or with Satchel itself are not new to anybody. */
const KNOWN_SCOPES: ReadonlySet<Scope> = new Set(['enterprise', 'bundled'])

/**
 * Why the policy keeps a copy from being used, as far as its name and place tell (`security.md` 4.2): `block` beats
 * `allow`; with `allow` everything else is off. Null: nothing does yet, its bytes may (`whyNotTheseBytes`).
 */
export function whyNotThisSkill(policy: Policy | null, skill: PolicySkill): string | null {
  const { allow, block = [], scopes_off: off = [] } = policy?.skills ?? {}
  const org = organisationOf(policy)
  if (off.includes(skill.scope)) return `${org} turned off skills from there.`
  if (block.some((rule) => !hasDigest(rule) && isMeant(rule, skill))) return `Blocked by ${org}.`
  if (allow && !allow.some((rule) => isMeant(rule, skill))) return `Not on the list of ${org}.`
  const maybe = (allow ?? []).some((rule) => hasDigest(rule) && isMeant(rule, skill))
  return mustBeApproved(policy, skill) && !maybe ? `New skills wait until ${org} allows them.` : null
}

function mustBeApproved(policy: Policy | null, { scope }: PolicySkill): boolean {
  return policy?.skills?.new_need_approval === true && !KNOWN_SCOPES.has(scope)
}

/** The same with the digest of its files, which is known once it is copied to be loaded. */
export function whyNotTheseBytes(policy: Policy | null, skill: PolicySkill, digest: string): string | null {
  const known = whyNotThisSkill(policy, skill)
  if (known !== null) return known
  const { allow, block = [] } = policy?.skills ?? {}
  const org = organisationOf(policy)
  const fits = (rule: SkillRule) => isMeant(rule, skill) && hasBytes(rule, digest)
  if (block.some(fits)) return `Blocked by ${org}.`
  if (allow && !allow.some(fits)) return `These contents are not on the list of ${org}.`
  const approved = (allow ?? []).some((rule) => hasDigest(rule) && fits(rule))
  return mustBeApproved(policy, skill) && !approved
    ? `New or changed skills wait until ${org} allows them.`
    : null
}

/** Who locked something, in a sentence. */
export function organisationOf(policy: Pick<Policy, 'organisation'> | null): string {
  return policy?.organisation ?? 'your organisation'
}

function hasDigest(rule: SkillRule): boolean {
  return typeof rule === 'object' && 'digest' in rule
}

function hasBytes(rule: SkillRule, digest: string): boolean {
  if (typeof rule === 'string' || !('digest' in rule)) return true
  return rule.digest.replace(/^sha256:/i, '').toLowerCase() === digest.toLowerCase()
}

/** By name and scope; a rule by digest alone may mean any. No skill comes from a source yet. */
function isMeant(rule: SkillRule, skill: PolicySkill): boolean {
  if (typeof rule !== 'string') {
    if ('source' in rule) return false
    return !('name' in rule) || fitsName(rule.name, skill)
  }
  const [name = '', scope] = rule.split('@')
  return (name === '*' || fitsName(name, skill)) && (scope === undefined || foldName(scope) === skill.scope)
}

function fitsName(name: string, skill: PolicySkill): boolean {
  return foldName(name) === foldName(skill.name)
}
