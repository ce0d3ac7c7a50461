import { expect, test } from 'vitest'
import { agentUnknown } from '@shared/skill-check/agent-unknown'

const KNOWN = ['general', 'reviewer']

test.each([
  ['an agent that is there', { context: 'fork', agent: 'reviewer' }],
  ['its name in another case', { context: 'fork', agent: ' Reviewer ' }],
  ['no agent', { context: 'fork', agent: undefined }],
  ['an agent that has no effect', { context: undefined, agent: 'nobody' }],
] as const)('a fork with %s is fine', (_what, skill) => {
  expect(agentUnknown(skill, KNOWN)).toEqual([])
})

test('an agent that is not there is a warning that says who works, and which one may be meant', () => {
  expect(agentUnknown({ context: 'fork', agent: 'reviwer' }, KNOWN)).toEqual([
    {
      code: 'agent-unknown',
      severity: 'warning',
      message: 'There is no agent "reviwer" here: the agent of the chat works in its place.',
      fix: 'Write it as the agent is named: "reviewer".',
    },
  ])
  expect(agentUnknown({ context: 'fork', agent: 'cartographer' }, KNOWN)[0]?.fix).toBe(
    'Add that agent, or correct its name.',
  )
})
