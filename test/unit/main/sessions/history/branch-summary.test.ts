import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SUMMARISE } from '../../../../../src/main/llm/summarise'
import type { LlmRequest } from '../../../../../src/main/llm/types'
import { createKit, type Kit } from '../kit'

let kit: Kit
beforeEach(async () => {
  kit = await createKit()
})
afterEach(() => kit.remove())

const LONG = 'Boil the quinces slowly and stir. '.repeat(200)

/** Six turns, the first three summarised after the fifth. */
async function summarisedChat(): Promise<string> {
  const id = kit.chat()
  kit.answers.push(...[1, 2, 3].map((n) => ({ text: `${n}: ${LONG}` })), { text: 'x' }, { text: 'y' })
  for (const text of ['one', 'two', 'three', 'four', 'five']) await kit.say(id, text)
  kit.answers.push({ text: 'They make quince jam.' })
  await kit.sessions.compact(id)
  kit.answers.push({ text: 'Sixth.' })
  await kit.say(id, 'six')
  return id
}

const idOf = (id: string, text: string) =>
  kit.messages(id).find(({ parts }) => parts.some((part) => part.type === 'text' && part.text === text))!.id
const spoken = ({ history }: LlmRequest) =>
  history.flatMap((entry) => (entry.role === 'user' ? [entry.text] : []))
const summaries = () => kit.asked.filter(({ instructions }) => instructions[0] === SUMMARISE).length

async function edit(id: string, from: string, to: string): Promise<LlmRequest> {
  await kit.sessions.edit(id, idOf(id, from), to)
  await kit.until(id, 'idle')
  return kit.asked.at(-1)!
}

describe('a branch that begins', () => {
  test('between the summarised messages and their summary has that summary too, without another call', async () => {
    const id = await summarisedChat()
    const asked = await edit(id, 'five', 'another five')
    expect(spoken(asked)).toEqual([expect.stringContaining('They make quince jam.'), 'four', 'another five'])
    expect(summaries()).toBe(1)
    expect(kit.messages(id).filter(({ usage, role }) => role === 'note' && usage !== null)).toEqual([])
  })

  test('with another answer behind them has it too', async () => {
    const id = await summarisedChat()
    const answer = kit
      .messages(id)
      .find(({ parts }) => parts.some((p) => p.type === 'text' && p.text === 'y'))!
    await kit.sessions.retry(id, answer.id)
    await kit.until(id, 'idle')
    expect(spoken(kit.asked.at(-1)!)[0]).toContain('They make quince jam.')
  })

  test('behind the summary has it once', async () => {
    const id = await summarisedChat()
    const asked = await edit(id, 'six', 'another six')
    expect(spoken(asked).filter((text) => text.includes('quince jam'))).toHaveLength(1)
    expect(spoken(asked).at(-1)).toBe('another six')
  })

  test('among the summarised messages has no word of those that it left', async () => {
    const id = await summarisedChat()
    expect(spoken(await edit(id, 'three', 'another three'))).toEqual(['one', 'two', 'another three'])
  })

  test('among them, where that does not fit into the window any more, is summarised first', async () => {
    const id = await summarisedChat()
    kit.deps.llm.contextWindow = () => 6000
    kit.answers.push({ text: 'One and two were long.' }, { text: 'Well.' })
    const asked = await edit(id, 'three', 'another three')
    expect(spoken(asked)).toEqual([expect.stringContaining('One and two were long.'), 'another three'])
    expect(JSON.stringify(asked.history)).not.toContain('They make quince jam.')
  })

  test('and can not be summarised says so, and is not sent whole', async () => {
    const id = await summarisedChat()
    kit.deps.llm.contextWindow = () => 6000
    kit.answers.push({ fails: 'It is down.' })
    const asked = await edit(id, 'three', 'another three')
    expect(asked.instructions).toEqual([SUMMARISE])
    const [error] = kit.messages(id).at(-1)!.parts
    expect(error).toMatchObject({ type: 'error', code: 'context_length' })
    expect(error).toMatchObject({ message: expect.stringContaining('It is down.') })
  })
})

test('a chat that was never summarised is left to the person, also when it is nearly full', async () => {
  const id = kit.chat()
  kit.answers.push({ text: LONG }, { text: LONG })
  await kit.say(id, 'one')
  await kit.say(id, 'two')
  kit.deps.llm.contextWindow = () => 4000
  await kit.say(id, 'three')
  expect(summaries()).toBe(0)
  expect(spoken(kit.asked.at(-1)!)).toEqual(['one', 'two', 'three'])
})

test('where the text of a skill stands in a result, a carried summary leaves the one of the branch whole', async () => {
  await kit.remove()
  kit = await createKit({ settings: { defaultStyle: 'skill-tool' } })
  const id = kit.chat()
  kit.answers.push({ calls: [{ name: 'Skill', input: { skill: 'jam' } }] }, { text: LONG })
  kit.answers.push({ text: LONG }, { text: LONG }, { text: 'x' }, { text: 'y' })
  for (const text of ['one', 'two', 'three', 'four', 'five']) await kit.say(id, text)
  await kit.sessions.unloadSkill(id, 'jam')
  kit.answers.push({ text: 'They make quince jam.' })
  await kit.sessions.compact(id)
  const { history } = await edit(id, 'five', 'another five')
  expect(kit.row(id).activeSkills.map(({ name }) => name)).toEqual(['jam'])
  expect(history.filter(({ role }) => role === 'tool')).toHaveLength(1)
})
