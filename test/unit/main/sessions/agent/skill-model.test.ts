import { afterEach, describe, expect, test } from 'vitest'
import { modelWishes, nextModel, wishWords } from '../../../../../src/main/sessions/agent/skill-model'
import { codeOf, createKit, type Kit } from '../kit'

const MODELS = [
  'here/llama',
  'here/qwen',

  'p/claude-sonnet-4-5',
  'p/claude-haiku-4-5-20251001',
  'p/claude-opus-4-1',
  'p/local',
  'q/gpt-5-nano',
]
const BASE = 'p/claude-sonnet-4-5'
const active = (model: string | undefined, more = {}) => ({
  name: 'jam',
  key: 'k',
  scope: 'personal' as const,
  digest: 'd',
  tokens: 1,
  step: 1,
  changedOnDisk: false,
  ...(model === undefined ? {} : { model }),
  ...more,
})
const llm = { models: () => MODELS, isLocal: (model: string) => model.startsWith('here/') } as never
const decide = (activeSkills: ReturnType<typeof active>[], model = BASE) => ({
  model: nextModel({ llm }, { model, activeSkills }),
  states: modelWishes({ llm }, { model, activeSkills }).map(({ state }) => state),
})

describe('the model that a skill prefers', () => {
  test.each([
    [undefined, BASE, []],
    ['inherit', BASE, []],
    ['claude-haiku-4-5', 'p/claude-haiku-4-5-20251001', ['used']],
    ['p/claude-haiku-4-5', 'p/claude-haiku-4-5-20251001', ['used']],
    ['haiku', 'p/claude-haiku-4-5-20251001', ['used']],
    ['claude-sonnet-4-5', BASE, ['used']],
    ['claude-opus-4-1', BASE, ['asks']],
    ['opus', BASE, ['asks']],
    ['local', BASE, ['asks']],
    ['no-such-model', BASE, ['unknown']],
    ['', BASE, ['unknown']],
    ['gpt-5-nano', BASE, ['asks']],
    ['q/gpt-5-nano', BASE, ['asks']],
    ['here/gpt-5-nano', BASE, ['unknown']],
    ['llama', BASE, ['asks']],
    ['practice/scripted', BASE, ['unknown']],
    ['https://evil.example/v1', BASE, ['unknown']],
    ['../q/gpt-5-nano', BASE, ['unknown']],
  ])('%s: %s answers', (wanted, model, states) => {
    expect(decide([active(wanted)])).toEqual({ model, states })
  })

  test('from a model without a price every other one is asked for', () => {
    expect(decide([active('haiku')], 'p/local')).toEqual({ model: 'p/local', states: ['asks'] })
  })

  test('on this computer costs nothing', () => {
    expect(decide([active('qwen')], 'here/llama').model).toBe('here/qwen')
  })

  test('that is dearer is used once the person agrees, and never when they keep theirs', () => {
    const used = { modelChoice: 'use', modelChosen: 'p/claude-opus-4-1' }
    expect(decide([active('opus', used)]).model).toBe('p/claude-opus-4-1')
    expect(decide([active('opus', { modelChoice: 'keep' })])).toEqual({ model: BASE, states: ['kept'] })
  })

  test('is used only as long as it is the one that the person saw', () => {
    const other = { modelChoice: 'use', modelChosen: 'p/claude-opus-4-0' }
    expect(decide([active('opus', other)])).toEqual({ model: BASE, states: ['asks'] })
  })

  test('of another provider is used once the person agrees, also where it costs nothing', () => {
    const said = { modelChoice: 'use', modelChosen: 'here/llama' }
    expect(decide([active('llama', said)]).model).toBe('here/llama')
  })

  test('that several other providers have is nobody’s to choose', () => {
    const two = { models: () => [...MODELS, 'r/gpt-5-nano'], isLocal: () => false } as never
    const wishes = (wanted: string) =>
      modelWishes({ llm: two }, { model: BASE, activeSkills: [active(wanted)] }).map(({ ref }) => ref)
    expect([wishes('gpt-5-nano'), wishes('r/gpt-5-nano')]).toEqual([[null], ['r/gpt-5-nano']])
  })

  test('is that of the skill loaded last, unknown ones aside', () => {
    expect(decide([active('haiku'), active('no-such-model'), active(undefined)]).model).toBe(
      'p/claude-haiku-4-5-20251001',
    )
    expect(decide([active('haiku'), active('opus')]).model).toBe(BASE)
  })

  test('is told in words, what is unknown or dearer too', () => {
    const words = ['haiku', 'opus', 'nothing', 'llama'].map((model) =>
      modelWishes({ llm }, { model: BASE, activeSkills: [active(model)] }).map(wishWords),
    )
    expect(words.flat()).toEqual([
      '"jam" prefers the model "haiku": claude-haiku-4-5-20251001 answers while it is active.',
      '"jam" prefers the model "opus", which may cost more: it is used only if the person agrees.',
      `"jam" prefers the model "nothing", which no provider here has, or more than one beside the chat's: it is ignored.`,
      '"jam" prefers the model "llama", which is of another provider: it is used only if the person agrees.',
    ])
  })
})

describe('in a chat', () => {
  let kit: Kit
  const skill = (model: string) => ({
    'SKILL.md': `---\nname: jam\ndescription: Jam.\nmodel: ${model}\n---\nText.\n`,
  })
  const start = async (model: string) => {
    kit = await createKit({ skills: { jam: skill(model) }, models: MODELS })
    const id = kit.chat()
    kit.sessions.setModel(id, BASE)
    return id
  }
  const said = (id: string, model: string) => ({
    of: 'skill' as const,
    key: kit.row(id).activeSkills[0]!.key,
    model,
    choice: 'use' as const,
  })
  afterEach(() => kit.remove())

  test('the preferred model answers from the load until the unload', async () => {
    const id = await start('haiku')
    kit.answers.push(
      { calls: [{ name: 'skills_load', input: { names: ['jam'] } }] },
      { calls: [{ name: 'skills_unload', input: { all: true } }] },
    )
    await kit.say(id, 'go')
    expect(kit.asked.map(({ model }) => model)).toEqual([BASE, 'p/claude-haiku-4-5-20251001', BASE])
    expect(
      kit
        .messages(id)
        .map(({ model }) => model)
        .slice(1),
    ).toEqual(kit.asked.map(({ model }) => model))
    expect(kit.row(id).model).toBe(BASE)
  })

  test('a dearer model is not used until the person agrees, and the receipt says so', async () => {
    const id = await start('opus')
    await kit.say(id, '/jam')
    expect(kit.asked.at(-1)?.model).toBe(BASE)
    expect(kit.calls(id)[0]?.envelope?.result).toMatchObject({
      warnings: [expect.stringContaining('used only if the person agrees')],
    })
    kit.sessions.chooseModel(id, said(id, 'p/claude-opus-4-1'))
    await kit.say(id, 'go on')
    expect(kit.asked.at(-1)?.model).toBe('p/claude-opus-4-1')
  })
  test('one of another provider gets nothing of the chat until the person agrees to that very one', async () => {
    const id = await start('gpt-5-nano')
    await kit.say(id, '/jam')
    expect(kit.asked.at(-1)?.model).toBe(BASE)
    expect(await codeOf(() => kit.sessions.chooseModel(id, said(id, 'p/claude-opus-4-1')))).toBe('stale')
    kit.sessions.chooseModel(id, said(id, 'q/gpt-5-nano'))
    await kit.say(id, 'go on')
    expect(kit.asked.at(-1)?.model).toBe('q/gpt-5-nano')
    expect(kit.row(id).model).toBe(BASE)
  })
})
