import type { AgentSummary } from '@shared/domain/agent'
import { summaryOf } from './agents/summary'
import type { Agents } from './agents/registry'
import { agentSkills } from './sessions/agent-skills'
import type { SettingsStore } from './settings/settings'
import type { Registry } from './skills/registry'

/** Agents as a page shows them, with the problems that they have with the skills of this place. */
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
    const { name, usesSkills, limits, problems } = summary
    const max = limits.activeSkills ?? settings.get().maxActiveSkills
    const more = agentSkills(registry, { projectDir, agent: name, usesSkills, max }).problems
    return { ...summary, problems: [...problems, ...more] }
  })
  return { agents: views, notes: [...agents.notes()] }
}
