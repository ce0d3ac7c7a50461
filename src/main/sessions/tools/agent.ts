import { z } from 'zod'
import { agentOf } from '../agent/agent'
import { modelForTask } from '../agent/agent-model'
import { agentChainRefusal, chainToAgent } from '../agent/chain'
import { failed } from '../turn/envelope'
import { AGENT_TOOL, subagentsOf } from '../agent/subagents'
import { begunFork, goOnWithFork, runFork } from './fork'
import { defineTool, type ToolContext, type ToolOutcome } from './tool'

const Input = z.object({
  agent: z.string().min(1).max(200).describe('Name of one of the agents that are listed.'),
  task: z
    .string()
    .max(32_000)
    .refine((text) => text.trim() !== '', 'Say what is to be done')
    .describe('All that the other agent gets: what to do, with what, and what to give back.'),
})

/** Hands a task to another agent, in a chat of its own (R15). Offered only where the agent's file names some. */
export const agentTool = defineTool(
  {
    name: AGENT_TOOL,
    description:
      'Hands a task to another agent. It works in a chat of its own and sees nothing of this one but the task, so say all that it needs. What it ends with comes back as data; it approves nothing.',
    input: Input,
  },
  hand,
)

async function hand(context: ToolContext, input: z.output<typeof Input>): Promise<ToolOutcome> {
  const { deps, session } = context
  const begun = begunFork(context)
  if (begun !== undefined) return goOnWithFork(context, begun)
  const { entries } = subagentsOf(deps, session, agentOf(deps, session))
  const name = input.agent.trim().toLowerCase()
  const entry = entries.find(({ agent }) => agent.name === name)
  if (!entry) return refused(failed('not_found', notThere(input.agent, entries)))
  const refusal = agentChainRefusal(deps, session, name)
  if (refusal) return refused(refusal)
  const { agent, digest, scope } = entry
  return runFork(context, {
    kind: 'agent',
    chain: chainToAgent(session, name),
    text: input.task.trim(),
    activeSkills: [],
    model: modelForTask(deps, session, agent),
    agent: entry,
    noted: { digest, scope },
  })
}

function notThere(name: string, entries: ReturnType<typeof subagentsOf>['entries']): string {
  const names = entries.map(({ agent }) => agent.name).join(', ')
  return names === ''
    ? `There is no agent "${name}" to hand work to. Do it yourself.`
    : `There is no agent "${name}" to hand work to. There are: ${names}.`
}

function refused(envelope: ReturnType<typeof failed>): ToolOutcome {
  return { kind: 'result', envelope }
}
