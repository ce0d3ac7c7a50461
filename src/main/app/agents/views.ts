import type { AgentSummary } from '@shared/domain/agent'
import { AppError } from '@shared/errors'
import type { AgentEntry } from '../../agents/precedence'
import { summaryOf } from '../../agents/summary'
import type { Agents } from '../../agents/registry'
import { agentSkills } from '../../sessions/agent/agent-skills'
import { subagentsOf } from '../../sessions/agent/subagents'
import type { SettingsStore } from '../../settings/settings'
import type { Registry } from '../../skills/registry/registry'

/** Agents as a page shows them, with the problems that they have with the skills and agents of this place. */
export function agentViews(
  {
    agents,
    registry,
    settings,
  }: { agents: Agents; registry: Registry; settings: Pick<SettingsStore, 'get'> },
  projectDir: string | null,
): { agents: AgentSummary[]; notes: string[] } {
  const views = agents.list(projectDir).map((entry) => {
    const summary = summaryOf(entry)
    if (summary.status !== 'effective') return summary
    const { name, usesSkills, subagents, limits, problems } = summary
    const max = limits.activeSkills ?? settings.get().maxActiveSkills
    const more = agentSkills(registry, { projectDir, agent: name, usesSkills, max }).problems
    const missing = subagentsOf({ agents }, { projectDir }, { subagents }).problems
    return { ...summary, problems: [...problems, ...more, ...missing] }
  })
  return { agents: views, notes: [...agents.notes()] }
}

/** Where the file of an agent is. Throws `not_found`. */
export function agentPath(
  entries: readonly AgentEntry[],
  { name, scope }: Pick<AgentSummary, 'name' | 'scope'>,
): string {
  const found = entries.find((entry) => entry.agent.name === name && entry.scope === scope)
  if (!found) throw new AppError('not_found', 'The file of this agent is not there any more.')
  return found.path
}
