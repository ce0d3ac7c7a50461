import type { Diagnostic } from '@shared/domain/skill'
import { AppError } from '@shared/errors'
import { problem } from '@shared/skill-md/problem'
import type { AgentEntry } from '../../agents/precedence'
import type { SessionRow } from '../../db/session-rows'
import { cutText } from '../../lib/well-formed'
import type { ToolSpec } from '../../llm/types'
import { agentOf, toolSetting, type Agent, type AgentDeps } from './agent'
import { escapeLine } from '../instructions/escape'

/** The name of the tool with which an agent hands a task to another one. */
export const AGENT_TOOL = 'agent'

/** Agents that the chat's agent may hand a task to, and what is wrong with the others that its file names (R15). */
interface Subagents {
  entries: AgentEntry[]
  problems: Diagnostic[]
}

/** As the files are now. Those that are missing, broken or of a project that is not trusted are not offered. */
export function subagentsOf(
  { agents }: Pick<AgentDeps, 'agents'>,
  { projectDir }: Pick<SessionRow, 'projectDir'>,
  { subagents }: Pick<Agent, 'subagents'>,
): Subagents {
  const found: Subagents = { entries: [], problems: [] }
  for (const name of subagents) {
    try {
      found.entries.push(agents.get(projectDir, name))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const message = `It may hand work to "${name}", which is not there for it: ${error.message}`
      found.problems.push(problem('warning', 'subagent-not-there', message))
    }
  }
  return found
}

/** The core tools that the chat's agent may use, with the agents that it may hand a task to in the words of the tool. */
export function coreFor(deps: AgentDeps, session: SessionRow, core: readonly ToolSpec[]): ToolSpec[] {
  const agent = agentOf(deps, session)
  return core
    .filter(({ name }) => toolSetting(agent, name) !== 'never')
    .flatMap((spec) => (spec.name === AGENT_TOOL ? agentSpec(spec, othersOf(deps, session, agent)) : [spec]))
}

/** Without itself: a task for the one that hands it out is always a cycle. */
function othersOf(deps: AgentDeps, session: SessionRow, agent: Agent): AgentEntry[] {
  return subagentsOf(deps, session, agent).entries.filter((entry) => entry.agent.name !== agent.name)
}

/** Not offered without agents. */
function agentSpec(spec: ToolSpec, entries: readonly AgentEntry[]): ToolSpec[] {
  if (entries.length === 0) return []
  const lines = entries.map(({ agent: { name, description } }) => `- ${name}: ${shortLine(description)}`)
  return [{ ...spec, description: [spec.description, 'Agents:', ...lines].join('\n') }]
}

const MAX_DESCRIPTION = 300

function shortLine(description: string): string {
  return escapeLine(cutText(description, MAX_DESCRIPTION))
}
