import { describe, expect, test } from 'vitest'
import type { AgentSummary } from '@shared/domain/agent'
import {
  agentFacts,
  inOrder,
  limitsText,
  seesText,
  toolsText,
} from '../../../../src/renderer/agents/agent-facts'

const agent = (more: Partial<AgentSummary> = {}): AgentSummary => ({
  name: 'clerk',
  label: 'Clerk',
  description: 'Files.',
  model: null,
  fallback: null,
  thinking: null,
  style: null,
  usesSkills: [],
  skills: { only: null, tags: null, except: [] },
  tools: {},
  mode: 'ask',
  limits: { steps: null, minutes: null, tokens: null, activeSkills: null },
  subagents: [],
  scope: 'personal',
  location: '~/.satchel/agents/clerk.md',
  status: 'effective',
  statusReason: '',
  digest: 'd',
  tokens: 12,
  problems: [],
  ...more,
})

describe('what the page says of an agent', () => {
  test('leaves out what its file says nothing of', () => {
    expect(agentFacts(agent()).map(([name]) => name)).toEqual(['Model', 'Mode', 'Tools', 'Sees', 'Cost'])
  })

  test('shows hidden characters of a foreign file', () => {
    const facts = new Map(agentFacts(agent({ model: 'p/a\u202eb' })))
    expect(facts.get('Model')).toBe('p/a⟦U+202E⟧b')
  })

  test.each([
    [{}, 'As usual'],
    [
      { Write: 'ask', Bash: 'never', mcp__docs: 'allow' } as const,
      'Bash never; Write asks; mcp__docs without asking',
    ],
    [{ '*': 'never', Read: 'ask' } as const, 'all others never; Read asks'],
  ])('of the tools %j: %s', (tools, text) => {
    expect(toolsText({ tools })).toBe(text)
  })

  test.each([
    [{ only: null, tags: null, except: [] }, 'All skills'],
    [{ only: [], tags: null, except: [] }, 'No skills'],
    [{ only: ['jam', 'tea'], tags: null, except: [] }, 'Only jam, tea'],
    [{ only: null, tags: ['food', 'drink'], except: ['tea'] }, 'All skills tagged food or drink except tea'],
  ])('of the skills %j: %s', (skills, text) => {
    expect(seesText({ skills })).toBe(text)
  })

  test('of the limits only those that are there', () => {
    const limits = { steps: 1, minutes: null, tokens: 400_000, activeSkills: 5 }
    expect(limitsText({ limits })).toBe('1 step, 400,000 tokens, 5 active skills')
  })
})

test('agents that a chat can be with come first', () => {
  const list = [agent({ label: 'A', status: 'broken' }), agent({ label: 'C' }), agent({ label: 'B' })]
  expect(inOrder(list).map(({ label }) => label)).toEqual(['B', 'C', 'A'])
})
