import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { agentMd, startAgents, type AgentKit } from './agents-kit'
import type { Kit } from './kit'

let at: AgentKit
let kit: Kit
beforeEach(async () => {
  at = await startAgents({
    clerk: agentMd('clerk', 'model: ready/best\nfallback: ready/other\n'),
    lone: agentMd('lone', 'model: ready/best\nfallback: missing/other\n'),
  })
  kit = at.kit
})
afterEach(() => kit.remove())

const asked = () => kit.asked.map(({ model }) => model)
const LOAD = { name: 'skills_load', input: { names: ['jam'] } }
const lack = { fails: 'No credit is left.', code: 'billing' }

describe("the fallback of a chat's agent", () => {
  test.each(['billing', 'not_found', 'rate_limit', 'unavailable', 'no_key'])(
    'answers where its model fails with "%s" before anything arrived, and that is said',
    async (code) => {
      const id = await at.chatWith('clerk')
      kit.answers.push({ ...lack, code }, { text: 'Here I am.' })
      await kit.say(id, 'go')
      expect(asked()).toEqual(['ready/best', 'ready/other'])
      expect(kit.messages(id).slice(1)).toMatchObject([
        {
          model: 'ready/best',
          status: 'error',
          parts: [
            { message: 'No credit is left.', action: expect.stringMatching(/^ready\/other, the fallback/) },
          ],
        },
        { model: 'ready/other', status: 'done' },
      ])
    },
  )

  test('goes on to the end of the turn; the next message asks the model itself again', async () => {
    const id = await at.chatWith('clerk')
    kit.answers.push(lack, { calls: [LOAD] }, { text: 'Done.' }, { text: 'Hello.' })
    await kit.say(id, 'go')
    await kit.say(id, 'again')
    expect(asked()).toEqual(['ready/best', 'ready/other', 'ready/other', 'ready/best'])
  })

  test('is sent the same messages, without the failure', async () => {
    const id = await at.chatWith('clerk')
    kit.answers.push(lack)
    await kit.say(id, 'go')
    expect(kit.asked[1]?.history).toEqual(kit.asked[0]?.history)
  })

  test('is asked once: when it fails too the turn ends, and trying again begins with the model itself', async () => {
    const id = await at.chatWith('clerk')
    kit.answers.push(lack, lack, { text: 'Back.' })
    await kit.say(id, 'go')
    expect(asked()).toEqual(['ready/best', 'ready/other'])
    kit.sessions.resume(id)
    await kit.until(id, 'idle')
    expect(asked()).toEqual(['ready/best', 'ready/other', 'ready/best'])
  })

  test.each([
    ['a fault of the connection', { fails: 'Gone.', code: 'connection' }],
    ['a wrong key', { fails: 'Wrong key.', code: 'auth' }],
    ['an answer that had begun', { ...lack, text: 'Half of' }],
  ])('does not answer after %s', async (_what, answer) => {
    const id = await at.chatWith('clerk')
    kit.answers.push(answer)
    await kit.say(id, 'go')
    expect(asked()).toEqual(['ready/best'])
    expect(kit.messages(id).at(-1)?.parts.at(-1)).toMatchObject({ type: 'error', action: 'Wait.' })
  })

  test('does not answer in the place of a model that the person chose', async () => {
    const id = await at.chatWith('clerk')
    kit.sessions.setModel(id, 'ready/mine')
    kit.answers.push(lack)
    await kit.say(id, 'go')
    expect(asked()).toEqual(['ready/mine'])
  })

  test('does not answer while it is not set up', async () => {
    const id = await at.chatWith('lone')
    kit.answers.push(lack)
    await kit.say(id, 'go')
    expect(asked()).toEqual(['ready/best'])
  })
})
