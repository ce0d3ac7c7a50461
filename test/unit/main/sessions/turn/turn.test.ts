import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '@shared/errors'
import { BOIL, brokenPrefix, createKit, deferred, LOAD, READ, type Kit } from '../kit'

let kit: Kit

beforeEach(async () => {
  kit = await createKit()
})
afterEach(async () => {
  expect(brokenPrefix(kit.asked)).toBeNull()
  await kit.remove()
})

describe('calls that can not be carried out', () => {
  test.each([
    ['an unknown tool', { name: 'launch', input: {} }, 'not_found', 'There is no tool "launch"'],
    ['a wrong input', { name: 'skills_load', input: { names: 'jam' } }, 'bad_input', '"names"'],
    ['arguments that were cut off', { name: 'skills_load' }, 'bad_input', 'cut off'],
    ['arguments that are a list', { name: 'skills_load', raw: '[1]' }, 'bad_input', 'no JSON object'],
    ['a run without a skill', BOIL, 'no_active_skill', 'skills_load'],
  ])('%s: the agent is told and goes on', async (_what, call, code, text) => {
    kit.answers.push({ calls: [call] }, { text: 'I see.' })
    const id = kit.chat()
    await kit.say(id, 'go')
    expect(kit.calls(id)[0]).toMatchObject({ state: 'failed', envelope: { error_code: code } })
    expect(kit.calls(id)[0]?.envelope?.error).toContain(text)
    expect(kit.said(id).at(-1)).toBe('assistant: I see.')
    expect(kit.errors).toEqual([])
  })
})

describe('limits and failures of a turn', () => {
  test('a model that never stops calling is stopped after 40 answers, with no call left open', async () => {
    kit.answers.push(...Array.from({ length: 60 }, () => ({ calls: [READ] })))
    const id = kit.chat()
    await kit.say(id, 'go')
    expect(kit.asked).toHaveLength(40)
    expect(kit.calls(id).filter(({ envelope }) => envelope === null)).toEqual([])
    expect(kit.events).toContainEqual(expect.objectContaining({ t: 'notice', level: 'warning' }))
    await kit.say(id, 'go on')
    expect(kit.asked.length).toBeGreaterThan(40)
  })

  test('an error of the provider is kept in the chat, and the next message is answered', async () => {
    kit.answers.push({ text: 'half', fails: 'It is down.' }, { text: 'whole' })
    const id = kit.chat()
    await kit.say(id, 'first')
    expect(kit.messages(id).at(-1)).toMatchObject({
      status: 'error',
      parts: [{ text: 'half' }, { type: 'error', message: 'It is down.' }],
    })
    await kit.say(id, 'second')
    expect(kit.said(id).at(-1)).toBe('assistant: whole')
  })

  test.each([undefined, 'half'])(
    'going on after a failed answer (%s) asks exactly once more',
    async (text) => {
      kit.answers.push({ ...(text ? { text } : {}), fails: 'It is down.' }, { text: 'whole' })
      const id = kit.chat()
      await kit.say(id, 'first')
      expect(kit.asked).toHaveLength(1)
      kit.sessions.resume(id)
      await vi.waitFor(() => expect(kit.said(id).at(-1)).toBe('assistant: whole'))
      await kit.until(id, 'idle')
      expect(kit.asked).toHaveLength(2)
      expect(kit.asked[1]?.history.filter(({ role }) => role === 'user')).toEqual(kit.asked[0]?.history)
      kit.sessions.resume(id)
      await kit.until(id, 'idle')
      expect(kit.asked).toHaveLength(2)
    },
  )

  test('a failed answer is never asked for again by itself, also where a message came meanwhile', async () => {
    const hold = deferred()
    kit.answers.push({ calls: [READ], hold: hold.promise }, { fails: 'It is down.' }, { text: 'too much' })
    const id = kit.chat()
    kit.sessions.send(id, 'first')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    kit.sessions.send(id, 'second')
    hold.resolve()
    await kit.until(id, 'idle')
    expect(kit.asked).toHaveLength(2)
    expect(kit.messages(id).at(-1)).toMatchObject({ status: 'error' })
  })

  test('an answer that was cut at its length limit says so', async () => {
    kit.answers.push({ text: 'half', cut: true })
    const id = kit.chat()
    await kit.say(id, 'first')
    expect(kit.messages(id).at(-1)).toMatchObject({
      status: 'done',
      parts: [{ text: 'half' }, { type: 'error', code: 'cut' }],
    })
  })

  test('a stream that throws interrupts the chat, and it can go on', async () => {
    kit.answers.push({ text: 'half', throws: true }, { text: 'whole' })
    const id = kit.chat()
    kit.sessions.send(id, 'first')
    await kit.until(id, 'interrupted')
    expect(kit.messages(id).at(-1)).toMatchObject({ status: 'interrupted' })
    kit.sessions.resume(id)
    await kit.until(id, 'idle')
    expect(kit.said(id).at(-1)).toBe('assistant: whole')
  })

  test('a chat whose loaded skill was lost from the store goes on and can load it again', async () => {
    kit.answers.push({ calls: [LOAD] }, { text: 'loaded' })
    const id = kit.chat()
    await kit.say(id, 'load')
    const digest = kit.row(id).activeSkills[0]!.digest
    kit.deps.bodies.get = () => Promise.reject(new AppError('not_found', 'The kept copy is gone.'))
    kit.answers.push({ text: 'still here' })
    await kit.say(id, 'hello')
    expect(kit.said(id).at(-1)).toBe('assistant: still here')
    expect(kit.asked.at(-1)?.instructions.join('\n')).toContain(digest)
    expect(kit.asked.at(-1)?.instructions.join('\n')).toContain('Load it again')
  })
})

describe('what the model is sent', () => {
  test('holds no half of a character, whatever a skill writes', async () => {
    await kit.remove()
    const odd = { 'SKILL.md': '---\nname: odd\ndescription: "Half \\ud83d of it."\n---\nOdd.\n' }
    kit = await createKit({ skills: { odd } })
    const id = kit.chat()
    await kit.say(id, 'go')
    expect(kit.asked[0]?.instructions.join('')).toContain('Half \ufffd of it.')
  })
})

describe('several chats', () => {
  test('run at the same time, each with its own skills, requests and answers', async () => {
    const [a, b] = [kit.chat(), kit.chat()]
    const hold = deferred()
    kit.answers.push({ text: 'A', hold: hold.promise }, { text: 'B' })
    kit.sessions.send(a, 'first')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    await kit.say(b, 'other')
    expect(kit.said(b)).toEqual(['user: other', 'assistant: B'])
    expect(kit.row(a).state).toBe('running')
    hold.resolve()
    await kit.until(a, 'idle')
    expect(kit.said(a)).toEqual(['user: first', 'assistant: A'])
    kit.asked.length = 0
  })
})

describe('changing the model', () => {
  test('during a turn counts from the next answer on', async () => {
    const id = kit.chat()
    const hold = deferred()
    kit.answers.push({ calls: [LOAD], hold: hold.promise }, { text: 'done' })
    kit.sessions.send(id, 'go')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    kit.sessions.setModel(id, 'other/model')
    hold.resolve()
    await kit.until(id, 'idle')
    expect(kit.asked.map(({ model }) => model)).toEqual(['practice/scripted', 'other/model'])
    expect(kit.messages(id).map(({ model }) => model)).toEqual([null, 'practice/scripted', 'other/model'])
  })

  test('of the default follows in chats in which nothing was said yet', async () => {
    const [used, empty] = [kit.chat(), kit.chat()]
    await kit.say(used, 'hello')
    kit.sessions.useInEmptyChats('other/model')
    expect(kit.row(used).model).toBe('practice/scripted')
    expect(kit.row(empty).model).toBe('other/model')
  })
})
