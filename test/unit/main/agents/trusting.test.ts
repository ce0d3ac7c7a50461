import { expect, test } from 'vitest'
import { createTestApp } from '../../../helpers/app'
import { later, until } from '../skills/support'

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
