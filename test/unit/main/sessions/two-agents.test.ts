import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LlmRequest } from '../../../../src/main/llm/types'
import { createSessions, type Sessions } from '../../../../src/main/sessions/service'
import { agentMd, startAgents, type AgentKit } from './agents-kit'
import { brokenPrefix, deferred, type Kit } from './kit'
import { scriptedModel, type Answer } from './scripted'

type Name = 'clerk' | 'cook'

let at: AgentKit
let kit: Kit
let sessions: Sessions
let answers: Record<Name, Answer[]>
let asked: Record<Name, LlmRequest[]>

/** Two agents with other skills, tools and limits, each with a model of its own that tells them apart by their role. */
beforeEach(async () => {
  at = await startAgents({
    clerk: agentMd('clerk', 'uses_skills: jam\ntools: {scripts: never}\n'),
    cook: agentMd('cook', 'uses_skills: soup\nlimits: {active_skills: 2}\n'),
  })
  kit = at.kit
  answers = { clerk: [], cook: [] }
  asked = { clerk: [], cook: [] }
  const models = {
    clerk: scriptedModel(answers.clerk, asked.clerk),
    cook: scriptedModel(answers.cook, asked.cook),
  }
  const stream = (request: LlmRequest) =>
    models[request.instructions.join().includes('You are clerk.') ? 'clerk' : 'cook'].stream(request)
  sessions = createSessions({ ...kit.deps, llm: { ...models.clerk, stream } })
})
afterEach(async () => {
  await sessions.close()
  await kit.remove()
})

async function chatWith(agent: Name): Promise<string> {
  const { id } = sessions.create({ projectDir: null, agent })
  await sessions.prepare(id)
  return id
}

const RUN = { name: 'skills_run_script', input: { path: 'scripts/run.sh' } }
const PATIENT = { interval: 2, timeout: 5000 }
const wasAsked = (name: Name, times: number) =>
  vi.waitFor(() => expect(asked[name]).toHaveLength(times), PATIENT)

test('two chats with different agents at work at once do not disturb each other', async () => {
  const [clerk, cook] = await Promise.all([chatWith('clerk'), chatWith('cook')])
  const steps = [deferred(), deferred(), deferred(), deferred()]
  answers.clerk.push(
    { text: 'Clerk one.', hold: steps[0]!.promise, calls: [RUN] },
    { text: 'Clerk two.', hold: steps[2]!.promise },
  )
  const add = { name: 'skills_load', input: { names: ['tea'], mode: 'add' } }
  answers.cook.push(
    { text: 'Cook one.', hold: steps[1]!.promise, calls: [add] },
    {
      text: 'Cook two.',
      hold: steps[3]!.promise,
      calls: [{ ...RUN, input: { ...RUN.input, skill: 'soup' } }],
    },
    { text: 'Cook three.' },
  )
  sessions.send(clerk, 'Clerk, go.')
  sessions.send(cook, 'Cook, go.')
  await Promise.all([wasAsked('clerk', 1), wasAsked('cook', 1)])
  // Each step of one falls into an answer of the other.
  steps[0]!.resolve()
  await wasAsked('clerk', 2)
  steps[1]!.resolve()
  await wasAsked('cook', 2)
  steps[3]!.resolve()
  await kit.until(cook, 'awaiting_approval')
  expect(kit.row(clerk).state).toBe('running')
  steps[2]!.resolve()
  await kit.until(clerk, 'idle')
  expect(kit.waiting(cook)).toMatchObject({ agentName: 'Cook', status: 'pending' })
  const { id: requestId, revision, planHash, findings } = kit.waiting(cook)
  const acknowledged = findings.map(({ id }) => id)
  await sessions.decide({ requestId, revision, planHash, choice: 'once', acknowledged })
  await kit.until(cook, 'idle')

  expect(kit.calls(clerk).map(({ envelope }) => envelope?.error_code)).toEqual(['tool_not_allowed'])
  expect(kit.ran.map(({ sessionId }) => sessionId)).toEqual([cook])
  expect(kit.said(clerk)).toEqual(['user: Clerk, go.', 'assistant: Clerk one.', 'assistant: Clerk two.'])
  expect(kit.said(cook)).toEqual([
    'user: Cook, go.',
    'assistant: Cook one.',
    'assistant: Cook two.',
    'assistant: Cook three.',
  ])
  expect(kit.row(clerk).activeSkills.map(({ name }) => name)).toEqual(['jam'])
  expect(kit.row(cook).activeSkills.map(({ name }) => name)).toEqual(['soup', 'tea'])
  expect(JSON.stringify(asked.clerk)).not.toMatch(/cook|The body of (soup|tea)/i)
  expect(JSON.stringify(asked.cook)).not.toMatch(/clerk|The body of jam/i)
  expect([brokenPrefix(asked.clerk), brokenPrefix(asked.cook)]).toEqual([null, null])
})

test('a chat that is stopped, fails or is deleted leaves the other at work', async () => {
  const [clerk, cook] = await Promise.all([chatWith('clerk'), chatWith('cook')])
  const slow = deferred()
  answers.cook.push({ text: 'Cook.', hold: slow.promise })
  answers.clerk.push({ text: 'half', hold: deferred().promise }, { text: 'half', fails: 'It is down.' })
  sessions.send(cook, 'Go.')
  sessions.send(clerk, 'Go.')
  await Promise.all([wasAsked('clerk', 1), wasAsked('cook', 1)])
  await sessions.stop(clerk, false)
  await kit.until(clerk, 'idle')
  sessions.send(clerk, 'Again.')
  await wasAsked('clerk', 2)
  await vi.waitFor(() => expect(kit.messages(clerk).at(-1)?.status).toBe('error'), PATIENT)
  await sessions.remove(clerk)
  expect(kit.row(cook).state).toBe('running')
  slow.resolve()
  await kit.until(cook, 'idle')
  expect(kit.said(cook)).toEqual(['user: Go.', 'assistant: Cook.'])
})
