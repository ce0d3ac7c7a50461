import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CallContext } from '@shared/domain/context'
import { DisclosureStyle } from '@shared/domain/settings'
import { estimateTokens } from '@shared/tokens'
import { GO_ON, plainMessages } from '../../../../../src/main/llm/history'
import { createContexts } from '../../../../../src/main/sessions/context/context-view'
import { instructionParts } from '../../../../../src/main/sessions/instructions/prompt'
import { styleOf } from '../../../../../src/main/sessions/styles/all'
import { GENERAL_ROLE } from '../../../../../src/main/sessions/agent/agent'
import { BOIL, codeOf, createKit, deferred, LOAD, READ, SKILL, type Kit } from '../kit'

let kit: Kit
beforeEach(async () => {
  kit = await createKit()
})
afterEach(() => kit.remove())

const contexts = () => createContexts(kit.deps)
const count = (table: string) =>
  (kit.deps.db.sql.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n

/** What the model was asked by a call, in the shapes in which it is kept. */
function sent(
  index: number,
): Pick<CallContext, 'model'> & { texts: string; tools: string[]; messages: unknown[] } {
  const { instructions, history, model, tools } = kit.asked[index]!
  const messages = plainMessages(history).map(({ content }) => content)
  return { model, texts: instructions.join('\n\n'), tools: tools.map(({ name }) => name), messages }
}

describe('calls that were made', () => {
  test('each is kept with exactly the instructions, tools and messages that were sent', async () => {
    kit.answers.push({ calls: [LOAD] }, { calls: [READ] }, { text: 'It is jam.' })
    const id = kit.chat()
    await kit.say(id, 'make jam')
    const calls = contexts().list(id)
    expect(calls.map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, 'answered'],
      [2, 'answered'],
      [3, 'answered'],
    ])
    for (const [index, { number }] of calls.entries()) {
      const kept = await contexts().get(id, number)
      const whole = await Promise.all(kept.messages.map((_one, at) => contexts().message(id, number, at)))
      expect(kept.blocks.map(({ text }) => text).join('\n\n')).toBe(sent(index).texts)
      expect(kept.tools.map(({ name }) => name)).toEqual(sent(index).tools)
      expect(JSON.parse(kept.tools[0]!.text)).toEqual(kit.asked[index]!.tools[0])
      expect(whole.length).toBe(sent(index).messages.length)
      for (const [at, content] of sent(index).messages.entries()) {
        expect([JSON.stringify(content, null, 2), (content as { text?: string }[])[0]?.text]).toContain(
          whole[at],
        )
      }
    }
  })

  test('the tokens of the parts are those of their texts, and a loaded body is one of them', async () => {
    kit.answers.push({ calls: [LOAD] }, { calls: [READ] })
    const id = kit.chat()
    await kit.say(id, 'make jam')
    const [first, , third] = await Promise.all([1, 2, 3].map((number) => contexts().get(id, number)))
    for (const { blocks, parts, tokens } of [first!, third!]) {
      for (const { part, text } of blocks) expect(parts[part]).toBe(estimateTokens(text))
      expect(tokens).toBe(Object.values(parts).reduce((sum, n) => sum + n, 0))
    }
    expect(first!.parts.active).toBeUndefined()
    expect(third!.parts.active).toBeGreaterThan(0)
    expect(third!.parts['files-read']).toBeGreaterThan(0)
  })

  test('calls with the same texts keep them once', async () => {
    kit.answers.push(...Array.from({ length: 11 }, () => ({ calls: [READ] })))
    const id = kit.chat()
    await kit.say(id, 'go')
    expect(count('model_calls')).toBe(12)
    const { total } = kit.deps.db.sql.prepare('SELECT sum(length(text)) AS total FROM call_texts').get() as {
      total: number
    }
    const { blocks, tools } = await contexts().get(id, 12)
    const once = [...blocks, ...tools].reduce((sum, { text }) => sum + text.length, 0)
    const said = JSON.stringify(plainMessages(kit.asked.at(-1)!.history)).length
    expect(total).toBeLessThan(once + said + 1000)
  })

  test('a call that failed and one that was stopped are kept too, without usage', async () => {
    kit.answers.push({ fails: 'It is down.' })
    const id = kit.chat()
    await kit.say(id, 'one')
    const hold = deferred()
    kit.answers.push({ text: 'half', hold: hold.promise })
    kit.sessions.send(id, 'two')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(2), { interval: 2 })
    await kit.sessions.stop(id, false)
    expect(contexts().list(id)).toMatchObject([
      { outcome: 'failed', usage: null, costUsd: null },
      { outcome: 'stopped', usage: null },
    ])
  })

  test('one that a crash broke off is told as interrupted, and what was sent stays', async () => {
    const hold = deferred()
    kit.answers.push({ text: 'half', hold: hold.promise })
    const id = kit.chat()
    kit.sessions.send(id, 'one')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1), { interval: 2 })
    expect(contexts().list(id)).toMatchObject([{ outcome: 'open', endedAt: null }])
    const before = kit
    kit = await kit.crash()
    expect(createContexts(kit.deps).list(id)).toMatchObject([{ outcome: 'interrupted', endedAt: null }])
    expect((await contexts().get(id, 1)).messages).toMatchObject([{ role: 'user', text: 'one' }])
    hold.resolve()
    expect(before.home).toBe(kit.home)
  })

  test('numbers and messages go on after a restart', async () => {
    kit.answers.push({ text: 'first' })
    const id = kit.chat()
    await kit.say(id, 'one')
    kit = await kit.restart([{ text: 'second' }])
    await kit.say(id, 'two')
    expect((await contexts().get(id, 2)).messages.map(({ text }) => text)).toEqual(['one', 'first', 'two'])
    const added = kit.deps.db.sql.prepare('SELECT kept FROM model_calls ORDER BY number').all()
    expect(added).toEqual([{ kept: 0 }, { kept: 1 }])
  })

  test('they go with their chat', async () => {
    const id = kit.chat()
    await kit.say(id, 'one')
    await kit.sessions.remove(id)
    expect([count('model_calls'), count('call_texts')]).toEqual([0, 0])
  })

  test('a number that is not there is told', async () => {
    const id = kit.chat()
    expect(await codeOf(() => contexts().get(id, 7))).toBe('not_found')
    expect(await codeOf(() => contexts().message(id, null, 3))).toBe('not_found')
    expect(await codeOf(() => contexts().list('ses_none'))).toBe('not_found')
  })
})

describe('the next call', () => {
  test('is what is sent when it is made', async () => {
    const id = kit.chat()
    await kit.sessions.loadSkill(id, 'jam')
    const next = await contexts().get(id, null)
    await kit.say(id, 'go')
    expect(next.call).toBeNull()
    expect(next.blocks.map(({ text }) => text).join('\n\n')).toBe(sent(0).texts)
    expect(next.tools.map(({ name }) => name)).toEqual(sent(0).tools)
  })

  test('ends with the answer where nothing was interrupted, and lets a model go on where it was', async () => {
    const id = kit.chat()
    await kit.say(id, 'go')
    expect((await contexts().get(id, null)).messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    kit.answers.push({ text: 'half', hold: new Promise(() => undefined) })
    kit.sessions.send(id, 'again')
    await vi.waitFor(() => expect(kit.messages(id)[3]?.parts).toHaveLength(1), { interval: 2 })
    kit = await kit.restart()
    expect((await contexts().get(id, null)).messages.at(-1)).toMatchObject({ role: 'user', text: GO_ON })
  })

  test('a message is given by its start, and whole when it is asked for', async () => {
    const id = kit.chat()
    await kit.say(id, 'x'.repeat(5000))
    const [first] = (await contexts().get(id, null)).messages
    expect(first).toMatchObject({ role: 'user', cut: true })
    expect(first!.text.length).toBeLessThan(500)
    expect(await contexts().message(id, null, 0)).toBe('x'.repeat(5000))
  })
})

describe('the catalogue of a call', () => {
  const skill = (description: string, more = '') => ({
    'SKILL.md': `---\nname: NAME\ndescription: ${description}\n${more}---\nDo it.\n`,
  })
  const named = (name: string, ...about: Parameters<typeof skill>) => ({
    [name]: { 'SKILL.md': skill(...about)['SKILL.md'].replace('NAME', name) },
  })

  test('tells what it left out and why: too many, with the score; turned off; for people only', async () => {
    await kit.remove()
    kit = await createKit({
      settings: { catalogueMax: 2 },
      skills: {
        ...named('a-cake', 'Bakes cake.'),
        ...named('b-jam', 'Boils quince jam.'),
        ...named('c-jam', 'Labels quince jam jars.'),
        ...named('d-secret', 'Only people.', 'disable-model-invocation: true\n'),
      },
    })
    const id = kit.chat()
    await kit.say(id, 'quince jam, please')
    const { catalogue } = await contexts().get(id, 1)
    expect(catalogue).toMatchObject({ entries: 2, omitted: 1, more: 0, descriptions: 'full' })
    expect(catalogue.shown).toEqual([
      { name: 'b-jam', why: 'relevant', score: expect.any(Number) },
      { name: 'c-jam', why: 'relevant', score: expect.any(Number) },
    ])
    expect(catalogue.left).toEqual([
      { name: 'a-cake', why: 'over-count' },
      { name: 'd-secret', why: 'people-only' },
    ])
  })
})

describe('the base instructions', () => {
  test.each(DisclosureStyle.options)('in the style %s are at most 1,800 tokens', (style) => {
    const parts = instructionParts({
      role: GENERAL_ROLE,
      style: styleOf(style),
      projectInstructions: '',
      catalogue: '',
      hasSkills: true,
      active: [],
    })
    expect(parts.map(({ part }) => part)).toEqual(['role', 'tools', 'skills'])
    expect(parts.reduce((sum, { text }) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(1800)
    const text = parts.map((part) => part.text).join('\n')
    expect(text).toMatch(/before a complex task/i)
    expect(text).toMatch(/never changes what needs approval or what is safe/)
  })
})

test('no byte of a script is in any request, until the model reads that file', async () => {
  const marker = 'ZEBRA-IN-THE-SCRIPT'
  await kit.remove()
  kit = await createKit({
    skills: { jam: { ...SKILL, 'scripts/boil.sh': `echo ${marker.toLowerCase()} # ${marker}\n` } },
  })
  const readScript = { name: 'skills_read', input: { path: 'scripts/boil.sh' } }
  kit.askToBoil([{ text: 'Boiled.' }, { calls: [readScript] }, { text: 'I read it.' }])
  kit.answers.splice(1, 0, { calls: [READ] })
  const id = kit.chat()
  await kit.say(id, 'make jam', 'awaiting_approval')
  await kit.decide(kit.waiting(id), 'once')
  await kit.until(id, 'idle')
  expect(kit.ran).toHaveLength(1)
  expect(kit.asked.length).toBeGreaterThanOrEqual(4)
  for (const request of kit.asked) expect(JSON.stringify(request)).not.toContain(marker)
  expect(JSON.stringify(await contexts().get(id, kit.asked.length))).not.toContain(marker)
  expect(kit.calls(id).map(({ name }) => name)).toContain(BOIL.name)
  await kit.say(id, 'read the script')
  expect(JSON.stringify(kit.asked.at(-1))).toContain(marker)
  expect(kit.calls(id).at(-1)).toMatchObject({ name: 'skills_read', state: 'done' })
})
