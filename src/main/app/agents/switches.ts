import type { Agents } from '../../agents/registry'
import type { Choices } from '../../skills/registry/choices'

/** Whether a skill's name is on for each agent that a chat could be with here. */
export function agentSwitches(
  { agents, choices }: { agents: Pick<Agents, 'list'>; choices: Pick<Choices, 'offReason'> },
  projectDir: string | null,
  name: string,
): { agent: string; on: boolean }[] {
  const names = new Set(agents.list(projectDir).map(({ agent }) => agent.name))
  return [...names].map((agent) => ({ agent, on: choices.offReason(projectDir, agent)(name) === null }))
}
