import type { AgentReview } from '@shared/domain/project-review'
import type { AgentEntry } from './precedence'

/** What trusting a project does to its agents, by the files as they count without trust and with it (F6). */
export function agentsTrustReview(
  untrusted: readonly AgentEntry[],
  trusted: readonly AgentEntry[],
): AgentReview[] {
  const used = new Map(
    untrusted.filter(({ status }) => status === 'effective').map((entry) => [entry.agent.name, entry]),
  )
  return trusted.filter(({ scope }) => scope === 'project').map((entry) => reviewed(entry, used))
}

function reviewed(
  { agent, location, status }: AgentEntry,
  used: ReadonlyMap<string, AgentEntry>,
): AgentReview {
  const { name, label, description } = agent
  const other = status === 'effective' ? used.get(name) : undefined
  const replaces = other && { scope: other.scope, location: other.location }
  return { name, label, description, location, becomes: status, ...(replaces ? { replaces } : {}) }
}
