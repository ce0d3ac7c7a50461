import type { PolicyView } from '@shared/domain/settings'
import type { PolicyInForce } from './keeper'
import { isDefaultMode, lockedSettings } from './locked'
import type { Policy } from './policy-file'
import { organisationOf } from './skill-policy'

/** The policy as Settings shows it. */
export function policyView({ policy, file, digest, source, notes }: PolicyInForce): PolicyView {
  return {
    organisation: organisationOf(policy),
    version: policy?.policy_version ?? '',
    file: file ?? '',
    digest,
    source,
    notes,
    locked: Object.keys(lockedSettings(policy)),
    demands: policy ? demandsOf(policy) : [],
  }
}

function demandsOf(policy: Policy): string[] {
  const { skills, audit, request_timeout_minutes: minutes } = policy
  const lists = listsOf(policy)
  return [
    ...lists.flatMap(([words, list]) =>
      list ? [`${words}: ${list.map(wordOf).join(', ') || 'none'}.`] : [],
    ),
    ...(skills?.new_need_approval ? ['New and changed skills wait until they are on the list.'] : []),
    ...(policy.rules?.length ? [`Rules that deny or ask: ${policy.rules.length}.`] : []),
    ...(minutes === undefined ? [] : [`A request that nobody answers ends after ${minutes} minutes.`]),
    ...(audit?.write_to === undefined ? [] : [`The audit is also written to ${audit.write_to}.`]),
    ...idleIn(policy),
  ]
}

/** Keys that stand in the file and that nothing acts on. */
function idleIn({ skills, audit, locked = {} }: Policy): string[] {
  const lists = [...(skills?.allow ?? []), ...(skills?.block ?? [])]
  const idle = [
    ...(lists.some((rule) => typeof rule === 'object' && 'source' in rule) ? ['source of a skill'] : []),
    ...Object.keys(locked).filter((name) => isDefaultMode(name, locked[name])),
    ...(skills?.sources ? ['skills.sources'] : []),
    ...(audit?.retention_days === undefined ? [] : ['audit.retention_days']),
  ]
  return idle.length > 0 ? [`Not used yet: ${idle.join(', ')}.`] : []
}

function listsOf({
  skills,
  providers,
  network,
  ...policy
}: Policy): [string, readonly unknown[] | undefined][] {
  return [
    ['Only these skills are used', skills?.allow],
    ['These skills are not used', skills?.block],
    ['No skills from', skills?.scopes_off],
    ['Asked about every time', policy.require_approval_for],
    ['Never remembered', policy.never_remember],
    ['Only these providers are asked', providers?.allow],
    ['Scripts may reach these hosts at most', network?.allow],
  ]
}

function wordOf(entry: unknown): string {
  if (typeof entry === 'string') return entry
  const { name, digest, source } = entry as { name?: string; digest?: string; source?: string }
  return [name, digest, source].filter(Boolean).join(' ')
}
