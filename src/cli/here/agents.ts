import { join } from 'node:path'
import type { Diagnostic } from '@shared/domain/skill'
import type { AgentEntry } from '../../main/agents/precedence'
import { createAgents } from '../../main/agents/registry'
import type { Agents } from '../../main/agents/registry'
import { policyDir } from '../../main/policy/policy'
import { agentSkills } from '../../main/sessions/agent/agent-skills'
import { subagentsOf } from '../../main/sessions/agent/subagents'
import type { Given } from '../grammar/command'
import { counted } from '../terminal/output'
import { sortedProblems } from '../check/problems'
import { openSkillsHere } from './skills'
import type { SkillsHere } from './skills'
import type { World } from '../world'

/** The agents as seen from a folder, with the skills that they could use. */
export interface AgentsHere {
  agents: Agents
  skills: SkillsHere
  /** What is to be said of a file, also because of the skills that it always uses and the agents that it hands work to. */
  problemsOf(entry: AgentEntry): Diagnostic[]
  /** What somebody should know before the list. */
  notices: string[]
  close(): void
}

/** Looks once, as the app would in the project of `--project` or of the current folder. Throws what skills do. */
export async function openAgentsHere(given: Given, world: World): Promise<AgentsHere> {
  const skills = await openSkillsHere(given, world)
  const { projectDir } = skills
  const agents = agentsOf(skills, world)
  return {
    agents,
    skills,
    problemsOf: (entry) =>
      sortedProblems([...entry.agent.diagnostics, ...usesProblems(skills, agents, entry)]),
    notices: [...skills.notes, ...agents.notes(), ...inertNotice(agents, projectDir)],
    close() {
      agents.close()
      skills.close()
    },
  }
}

/** The agents as seen from where the skills are. To be closed. */
export function agentsOf({ projectDir, trusted, registry }: SkillsHere, world: World): Agents {
  const { projectOverPersonal } = registry.rules(projectDir)
  return createAgents({
    places: () => ({
      homeDir: world.homeDir,
      resourcesDir: join(world.root, 'resources'),
      policyDir: policyDir(world),
      projects: projectDir === null ? [] : [projectDir],
    }),
    rules: () => ({ projectOverPersonal, trusted }),
    onChange() {},
  })
}

/** Skills that may be active at once, where the file says nothing; the command does not read it from the app. */
const MAX_ACTIVE = 5

function usesProblems(
  { registry, projectDir }: SkillsHere,
  agents: Agents,
  { agent, status }: AgentEntry,
): Diagnostic[] {
  if (status !== 'effective') return []
  const max = agent.limits.activeSkills ?? MAX_ACTIVE
  const skills = agentSkills(registry, { projectDir, agent: agent.name, usesSkills: agent.usesSkills, max })
  return [...skills.problems, ...subagentsOf({ agents }, { projectDir }, agent).problems]
}

function inertNotice(agents: Agents, projectDir: string | null): string[] {
  const inert = agents.list(projectDir).filter(({ status }) => status === 'not-trusted').length
  if (inert === 0) return []
  const what = `${counted(inert, 'agent')} of this project ${inert === 1 ? 'is' : 'are'} not in use`
  return [`${what}, because you did not trust the folder. Open it in Satchel to look at it and decide.`]
}
