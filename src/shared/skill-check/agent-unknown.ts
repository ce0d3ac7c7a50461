import type { Diagnostic } from '../domain/skill'
import { nearestText } from '../near-text'
import type { ParsedSkill } from '../skill-md'
import type { TogetherCode } from './rules'

/**
 * The agent that a skill names for its fork is not among those that are there (`runtime.md` 6); empty where it is.
 * `known` are the names of agents that can be used.
 */
export function agentUnknown(
  { agent, context }: Pick<ParsedSkill, 'agent' | 'context'>,
  known: readonly string[],
): Diagnostic[] {
  if (agent === undefined || context !== 'fork' || known.includes(agent.trim().toLowerCase())) return []
  const meant = nearestText(agent, known)
  return [
    {
      code: 'agent-unknown' satisfies TogetherCode,
      severity: 'warning',
      message: `There is no agent "${agent.slice(0, 80)}" here: the agent of the chat works in its place.`,
      fix:
        meant === undefined
          ? 'Add that agent, or correct its name.'
          : `Write it as the agent is named: "${meant}".`,
    },
  ]
}
