import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKit, LOAD, type Kit } from '../kit'

let kit: Kit
beforeEach(async () => {
  kit = await createKit()
  const { rules } = kit.deps
  const grounds = rules.grounds(null)
  const policy = { rules: [], neverRemember: [], requireApprovalFor: ['skill-load'] }
  vi.spyOn(rules, 'grounds').mockReturnValue({ ...grounds, policy })
})
afterEach(() => kit.remove())

test('where the organisation asks for every load, a model’s call loads nothing and says what to do', async () => {
  const id = kit.chat()
  kit.answers.push({ calls: [LOAD] })
  await kit.say(id, 'load it')
  expect(kit.calls(id).at(-1)).toMatchObject({
    state: 'failed',
    envelope: {
      error_code: 'not_for_models',
      error: expect.stringContaining('Ask them to add "jam" to this chat.') as string,
    },
  })
  expect(kit.row(id).activeSkills).toEqual([])
})

test('a person who adds the skill allows it, and what is active can be loaded again', async () => {
  const id = kit.chat()
  await kit.sessions.loadSkill(id, 'jam')
  kit.answers.push({ calls: [LOAD] })
  await kit.say(id, 'load it')
  expect(kit.calls(id).map(({ state }) => state)).toEqual(['done', 'done'])
  expect(kit.row(id).activeSkills.map(({ name }) => name)).toEqual(['jam'])
})
