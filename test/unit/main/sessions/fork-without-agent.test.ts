import { afterEach, expect, test } from 'vitest'
import { agentMd, startAgents } from './agents-kit'
import type { Kit } from './kit'

let kit: Kit
afterEach(() => kit.remove())

const SKILLS = {
  review: {
    'SKILL.md':
      '---\nname: review\ndescription: About review.\ncontext: fork\nagent: reviewer\n---\nReview it.\n',
  },
}
const LOAD = { name: 'skills_load', input: { names: ['review'] } }

async function forked(agents: Record<string, string>) {
  const at = await startAgents(agents, { skills: SKILLS })
  kit = at.kit
  const id = await at.chatWith('clerk')
  kit.answers.push({ calls: [LOAD] }, { text: 'Done.' })
  await kit.say(id, 'go')
  const notices = kit.events.filter((event) => event.t === 'notice')
  return { id, result: kit.calls(id)[0]?.envelope?.result, notices }
}

test('where the agent of a fork is not there the result and the person are told', async () => {
  const { id, result, notices } = await forked({ clerk: agentMd('clerk', 'label: The clerk\n') })
  const said =
    'The skill "review" names the agent "reviewer", which is not there: The clerk worked in its place, with the tools of this chat and no more.'
  expect(result).toMatchObject({ output: 'Done.', warnings: [said] })
  expect(notices).toMatchObject([{ level: 'warning', message: said, sessionId: id }])
})

test('no more tools are offered in that fork than in the chat', async () => {
  await forked({ clerk: agentMd('clerk', 'tools: {Write: never}\n') })
  const [chat = [], fork = []] = kit.asked.map(({ tools }) => tools.map(({ name }) => name))
  expect(fork).toContain('Read')
  expect(fork).not.toContain('Write')
  expect(chat).toEqual(expect.arrayContaining(fork))
})

test('where it is there nothing is said', async () => {
  const { result, notices } = await forked({ clerk: agentMd('clerk'), reviewer: agentMd('reviewer') })
  expect(result).not.toHaveProperty('warnings')
  expect(notices).toEqual([])
})
