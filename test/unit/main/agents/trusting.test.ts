import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestApp } from '../../../helpers/app'
import { later, until, write } from '../skills/support'

test('trusting a project tells that its agents count now, though no file changed', async () => {
  const at = await createTestApp()
  later(at.remove)
  const clerk = '---\nname: clerk\ndescription: Files papers.\n---\nYou file papers.\n'
  const dir = at.project('work', { '.satchel/agents/clerk.md': clerk })
  const { handlers } = at.app
  await handlers['projects.open']({ dir })
  await until('the agent was found', () => at.events.some(({ t }) => t === 'agents.changed'))
  at.events.length = 0
  await handlers['projects.trust']({ dir, trusted: true })
  await until('it is told', () => at.events.some(({ t }) => t === 'agents.changed'))
  const { agents } = await handlers['agents.list']({ projectDir: dir })
  expect(agents.find(({ name }) => name === 'clerk')?.status).toBe('effective')
})

test('the review before trust names the agents, whom they replace and the instructions that are sent', async () => {
  const at = await createTestApp()
  later(at.remove)
  const file = (name: string) => `---\nname: ${name}\ndescription: Files papers.\n---\nYou file papers.\n`
  write(join(at.home, 'resources', 'agents', 'general.md'), file('general'))
  write(join(at.home, '.satchel', 'agents', 'cook.md'), file('cook'))
  const files = ['clerk', 'cook', 'general'].map((name) => [`.satchel/agents/${name}.md`, file(name)])
  const dir = at.project('work', { ...Object.fromEntries(files), 'CLAUDE.md': 'Use tabs.' })
  const { handlers } = at.app
  await handlers['projects.open']({ dir })
  await until('the agents were found', () => at.events.some(({ t }) => t === 'agents.changed'))
  const review = await handlers['projects.review']({ dir })
  expect(review.instructions).toBe('CLAUDE.md')
  expect(review.agents.map(({ name, becomes, replaces }) => [name, becomes, replaces?.scope])).toEqual([
    ['clerk', 'effective', undefined],
    ['cook', 'shadowed', undefined],
    ['general', 'effective', 'bundled'],
  ])
})
