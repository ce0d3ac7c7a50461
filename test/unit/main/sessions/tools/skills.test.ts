import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Envelope } from '@shared/domain/session'
import { createKit, SKILL, type Kit } from '../kit'

let kit: Kit
let id: string

const named = (name: string, more = '', body = 'Do it.') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n${body}\n`,
})
const SKILLS = {
  jam: SKILL,
  tea: named('tea'),
  cake: named('cake', 'requires: [tea]\n'),
  secret: named('secret', 'disable-model-invocation: true\n'),
  broken: { 'SKILL.md': '---\nname: [\n' },
  long: named('long', '', 'word '.repeat(160_000)),
  wordy: named('wordy', '', 'word '.repeat(6000)),
}

beforeEach(async () => {
  kit = await createKit({ skills: SKILLS, settings: { maxActiveSkills: 2 } })
  id = kit.chat()
})
afterEach(() => kit.remove())

/** One call as the model makes it, with what it is told. */
async function call(name: string, input: Record<string, unknown>): Promise<Envelope> {
  kit.answers.push({ calls: [{ name, input }] })
  await kit.say(id, 'go')
  return kit.calls(id).at(-1)!.envelope!
}
const load = (names: string[], mode?: string) => call('skills_load', { names, ...(mode ? { mode } : {}) })
const unload = (input: Record<string, unknown>) => call('skills_unload', input)
const active = () => kit.row(id).activeSkills.map(({ name }) => name)

describe('skills_load', () => {
  test('replaces what is active, and says what it unloaded', async () => {
    await load(['jam'])
    const { result } = await load(['tea'])
    expect(active()).toEqual(['tea'])
    expect(result).toMatchObject({ active_skills: [{ name: 'tea', scope: 'personal' }], unloaded: ['jam'] })
  })

  test('adds to what is active when asked', async () => {
    await load(['jam'])
    await load(['tea'], 'add')
    expect(active()).toEqual(['jam', 'tea'])
  })

  test('a skill that is active already keeps its place and its copy', async () => {
    await load(['jam'])
    const [before] = kit.row(id).activeSkills
    await load(['JAM'], 'add')
    expect(kit.row(id).activeSkills).toEqual([before])
  })

  test('the same skill named twice is loaded once', async () => {
    await load(['jam', 'Jam'])
    expect(active()).toEqual(['jam'])
  })

  test('over the limit nothing is loaded, and the message names what to unload', async () => {
    await load(['jam', 'tea'])
    const { error, error_code } = await load(['cake'], 'add')
    expect(error_code).toBe('limit')
    expect(error).toContain('jam, tea')
    expect(active()).toEqual(['jam', 'tea'])
  })

  test('one wrong name of several loads none of them', async () => {
    const { error, error_code } = await load(['jam', 'teaa'])
    expect(error_code).toBe('not_found')
    expect(error).toContain('tea')
    expect(active()).toEqual([])
  })

  test.each([
    ['a broken skill', 'broken', 'not_found'],
    ['one for people only', 'secret', 'not_for_models'],
    ['one that would fill half of the window', 'long', 'too_large'],
    ['an unknown scope', 'jam@bundled', 'not_found'],
  ])('%s is refused', async (_what, name, code) => {
    expect((await load([name])).error_code).toBe(code)
    expect(active()).toEqual([])
  })

  test('what a skill requires is a hint, a long body a warning', async () => {
    expect((await load(['cake'])).result).toMatchObject({
      hints: ["This skill requires: tea. Load it first if you haven't already."],
      warnings: [],
    })
    expect((await load(['wordy'])).result).toMatchObject({
      warnings: [expect.stringContaining('more than 5000')],
    })
  })

  test('a person may load what models may not', async () => {
    await kit.sessions.loadSkill(id, 'secret')
    expect(active()).toEqual(['secret'])
  })

  test('the loaded text stays when the folder changes, until it is loaded again', async () => {
    await load(['tea'])
    writeFileSync(
      join(kit.home, '.satchel/skills/tea/SKILL.md'),
      named('tea', '', 'Do it twice.')['SKILL.md'],
    )
    await kit.deps.registry.refresh()
    await kit.say(id, 'go')
    expect(kit.asked.at(-1)?.instructions[1]).toContain('Do it.')
    await load(['tea'])
    expect(kit.asked.at(-1)?.instructions[1]).not.toContain('Do it twice.')
    await unload({ names: ['tea'] })
    await load(['tea'])
    expect(kit.asked.at(-1)?.instructions[1]).toContain('Do it twice.')
  })

  test('in place of others a skill that is active already keeps its bytes, and the others go', async () => {
    await load(['tea'])
    const [before] = kit.row(id).activeSkills
    await load(['jam'], 'add')
    const { result } = await load(['tea'], 'replace')
    expect(result).toMatchObject({ active_skills: [{ name: 'tea' }], unloaded: ['jam'] })
    expect(kit.row(id).activeSkills).toEqual([before])
  })

  test.each(['add', 'replace'])(
    'that there is a newer version is told with every call and by a receipt, and nothing is swapped: %s',
    async (mode) => {
      await load(['tea'])
      const [before] = kit.row(id).activeSkills
      kit.deps.currentDigest = (key) => (key === before!.key ? 'f'.repeat(64) : null)
      const { result } = await load(['tea'], mode)
      expect(JSON.stringify(result)).toContain('A newer version of \\"tea\\" is on disk')
      expect(kit.row(id).activeSkills).toEqual([before])
      expect(kit.asked.at(-1)?.instructions[1]).toContain('On disk there is a newer version of: tea.')
      kit.deps.currentDigest = () => before!.digest
      await kit.say(id, 'go')
      expect(kit.asked.at(-1)?.instructions[1]).not.toContain('newer version')
    },
  )

  test('a receipt holds every active skill with name, location, root, digest, properties and tokens', async () => {
    await load(['jam'])
    for (const { result } of [await load(['tea'], 'add'), await unload({ names: ['tea'] })]) {
      const { active_skills: receipts } = result as { active_skills: Record<string, unknown>[] }
      expect(receipts[0]).toEqual({
        name: 'jam',
        scope: 'personal',
        location: '~/.satchel/skills/jam',
        root_dir: '/.sandbox/skills/jam',
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        properties: { name: 'jam', description: 'Boils jam.' },
        tokens: expect.any(Number),
      })
    }
  })

  test('a location means the copy that lies there, and no other', async () => {
    const location = '~/.satchel/skills/jam'
    expect((await call('skills_load', { names: ['jam'], location })).success).toBe(true)
    expect(active()).toEqual(['jam'])
    const wrong = await call('skills_load', { names: ['jam'], location: '/elsewhere/SKILL.md' })
    expect(wrong).toMatchObject({ error_code: 'not_found', error: expect.stringContaining(location) })
    const two = await call('skills_load', { names: ['jam', 'tea'], location })
    expect(two.error_code).toBe('bad_input')
  })
})

describe('a skill of a project', () => {
  const file = 'references/rules.md'
  beforeEach(async () => {
    const dir = join(kit.home, 'kitchen')
    const { writeFiles } = await import('../../../../helpers/app')
    writeFiles(join(dir, '.satchel/skills/oven'), { ...named('oven'), [file]: 'hot\n' })
    kit.projects.push({ dir, name: 'kitchen', trusted: true, openedAt: 1 })
    await kit.deps.registry.refresh()
    id = kit.chat(dir)
    await load(['oven'])
    expect(active()).toEqual(['oven'])
  })

  test('says nothing and is not read after its project is no longer trusted', async () => {
    expect((await call('skills_read', { path: file })).success).toBe(true)
    expect(kit.asked.at(-1)?.instructions.join('\n')).toContain('<skill name="oven"')
    kit.projects[0]!.trusted = false
    expect((await call('skills_read', { path: file })).error_code).toBe('not_trusted')
    expect(kit.asked.at(-1)?.instructions.join('\n')).not.toContain('<skill name="oven"')
    expect((await load(['oven'])).error_code).toBe('not_trusted')
  })

  test('and a personal one of the same name are never active together', async () => {
    const { writeFiles } = await import('../../../../helpers/app')
    writeFiles(join(kit.home, '.satchel/skills/oven'), named('oven'))
    await kit.deps.registry.refresh()
    expect((await load(['oven@personal'], 'add')).result).toMatchObject({ unloaded: ['oven'] })
    expect(kit.row(id).activeSkills.map(({ scope }) => scope)).toEqual(['personal'])
    await load(['oven@project', 'oven@personal'])
    expect(kit.row(id).activeSkills.map(({ scope }) => scope)).toEqual(['personal'])
    expect((await unload({ names: ['oven@project'] })).error_code).toBe('not_found')
    expect((await unload({ names: ['oven@personal'] })).success).toBe(true)
  })
})

describe('skills_unload', () => {
  test('unloads by name, without case', async () => {
    await load(['jam', 'tea'])
    expect((await unload({ names: ['JAM'] })).result).toMatchObject({ unloaded: ['jam'] })
    expect(active()).toEqual(['tea'])
  })

  test('unloads everything when asked', async () => {
    await load(['jam', 'tea'])
    await unload({ all: true })
    expect(active()).toEqual([])
  })

  test('without a name and without all says what to give', async () => {
    await load(['jam'])
    expect(await unload({})).toMatchObject({
      error_code: 'bad_input',
      error: expect.stringContaining('all: true'),
    })
    expect(active()).toEqual(['jam'])
  })

  test('of what is not active says what is', async () => {
    expect((await unload({ names: ['jam'] })).error_code).toBe('no_active_skill')
    await load(['tea'])
    const { error, error_code } = await unload({ names: ['jam'] })
    expect([error_code, error]).toEqual(['not_found', 'Not active: jam. Active now: tea.'])
    expect(active()).toEqual(['tea'])
  })
})
