import { afterEach, expect, test } from 'vitest'
import { listForks } from '../../../../src/main/db/session-rows'
import { agentMd, startAgents, type AgentKit } from './agents-kit'

let at: AgentKit
afterEach(() => at.kit.remove())

test('what the agent may not use that another works for is not blamed on the other', async () => {
  const clerk = agentMd('clerk', 'subagents: [reviewer]\ntools:\n  Bash: never\n')
  at = await startAgents({ clerk, reviewer: agentMd('reviewer') })
  const { kit } = at
  const id = await at.chatWith('clerk')
  kit.answers.push(
    { calls: [{ name: 'agent', input: { agent: 'reviewer', task: 'Look at page 7.' } }] },
    { calls: [{ name: 'Bash', input: { command: 'ls' } }] },
    { text: 'I could not look.' },
    { text: 'Nothing was found.' },
  )
  await kit.say(id, 'look')
  const [child] = listForks(kit.deps.db.sql, id)
  expect(kit.calls(child!.id)[0]?.envelope).toMatchObject({
    error_code: 'tool_not_allowed',
    error: expect.stringMatching(/^The agent Clerk, which this one works for, may not use Bash\./) as string,
  })
})

test('an agent is not among those that it may hand work to itself', async () => {
  const clerk = agentMd('clerk', 'subagents: [clerk, reviewer]\n')
  at = await startAgents({ clerk, reviewer: agentMd('reviewer') })
  await at.kit.say(await at.chatWith('clerk'), 'hello')
  const tool = at.kit.asked[0]?.tools.find(({ name }) => name === 'agent')
  expect(tool?.description).toContain('- reviewer:')
  expect(tool?.description).not.toContain('- clerk:')
})
