import { foldName } from '@shared/skill-md/skill-name'
import type { Availability } from '../record'

/** Where the app works now (`runtime.md` 6); null where none is set. */
export interface Place {
  tenant: string | null
  environment: string | null
  /** The agent that asks; null: nobody in particular, so that no skill is left out because of it. */
  agent: string | null
}

/**
 * Why a skill with these lists can't be used here, in one or two sentences; null when it can (F5). A skill that is for
 * some tenant or environment is not for a place where none is set. Names are compared without case.
 */
export function whyNotHere(availableTo: Availability | null, place: Place): string | null {
  if (!availableTo) return null
  const { tenants, environments, agents } = availableTo
  return (
    whyNotIn('tenant', tenants, place.tenant) ??
    whyNotIn('environment', environments, place.environment) ??
    (place.agent === null ? null : whyNotFor(agents, place.agent))
  )
}

function whyNotIn(kind: string, names: readonly string[] | null, current: string | null): string | null {
  if (names === null || isOneOf(names, current)) return null
  const only = names.length === 1 ? `the ${kind} ${names[0]!}` : `the ${kind}s ${listed(names)}`
  const now = current === null ? 'none is set' : `this one is ${current}`
  return names.length === 0 ? `Its list of ${kind}s is empty.` : `Only for ${only}; ${now}.`
}

function whyNotFor(agents: readonly string[] | null, agent: string): string | null {
  if (agents === null || isOneOf(agents, agent)) return null
  return agents.length === 0
    ? 'Its list of agents is empty.'
    : `Not for this agent: only for ${listed(agents)}.`
}

function isOneOf(names: readonly string[], current: string | null): boolean {
  return current !== null && names.some((name) => foldName(name) === foldName(current))
}

function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`
}
