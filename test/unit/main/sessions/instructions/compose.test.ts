import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { toDetail } from '../../../../../src/main/sessions/history/detail'
import { Settings } from '@shared/domain/settings'
import type { SkillEntry } from '../../../../../src/main/skills/record'
import {
  catalogueOf,
  mustPrepare,
  nextCall,
  prepareCatalogue,
} from '../../../../../src/main/sessions/instructions/compose'
import type { SessionDeps } from '../../../../../src/main/sessions/deps'
import { shownCatalogue } from '../../../../../src/main/sessions/instructions/shown-catalogue'
import { DisclosureStyle } from '@shared/domain/settings'
import { createKit, SKILL, type Kit } from '../kit'

let kit: Kit
afterEach(() => kit.remove())

/** The same parts with other settings. */
const withSettings = (more: Record<string, unknown>): SessionDeps => ({
  ...kit.deps,
  settings: () => ({ ...Settings.parse({}), ...more }),
})

/** A registry of so many skills that are only listed. */
async function withSkills(count: number): Promise<SessionDeps> {
  kit = await createKit()
  const list = listOf('skill', count)
  return { ...kit.deps, registry: { ...kit.deps.registry, list: () => list } }
}

function listOf(start: string, count: number): SkillEntry[] {
  const [entry] = kit.deps.registry.list(null)
  return Array.from({ length: count }, (_, n): SkillEntry => {
    const name = `${start}-${String(n).padStart(5, '0')}`
    const description = `Handles reports, tables and charts number ${n} of the department. ${'More. '.repeat(20)}`
    return { ...entry!, record: { ...entry!.record, key: name, name, folder: name, description } }
  })
}

/** A registry of many skills that can be replaced by others. */
async function withManySkills() {
  kit = await createKit()
  const lists = { now: listOf('old', 600), later: listOf('new', 600) }
  const deps: SessionDeps = { ...kit.deps, registry: { ...kit.deps.registry, list: () => lists.now } }
  const swap = () => Object.assign(lists, { now: lists.later, later: lists.now })
  const id = kit.chat()
  await kit.say(id, 'Charts number 198?')
  return { deps, row: kit.row(id), swap }
}

describe('nextCall', () => {
  test('without skills there is no block, no tool and no word about skills', async () => {
    kit = await createKit({ skills: {} })
    const call = await nextCall(kit.deps, kit.row(kit.chat()))
    expect(call.texts.join()).not.toMatch(/skill/i)
    expect(call.tools([{ name: 'skills_load', description: '', parameters: {} }], false)).toEqual([])
  })

  test.each(DisclosureStyle.options)(
    'the agent of a chat may be told of skills in the style %s',
    async (style) => {
      kit = await createKit()
      const call = await nextCall(withSettings({ defaultStyle: style }), kit.row(kit.chat()))
      expect(call.style.id).toBe(style)
      const inText = call.texts.join().includes('Boils jam.')
      const core = ['skills_load', 'skills_list'].map((name) => ({ name, description: '', parameters: {} }))
      const inTool = call.tools(core, false).some(({ description }) => description.includes('Boils jam.'))
      expect([inText, inTool]).toEqual([
        style === 'runtime' || style === 'read-skill' || style === 'agent-skill-read',
        style === 'get-skill' || style === 'skill-tool',
      ])
    },
  )

  test('a body stands in the instructions until a result of its own holds it', async () => {
    kit = await createKit()
    const id = kit.chat()
    await kit.sessions.loadSkill(id, 'jam')
    const row = kit.row(id)
    const byModel = { ...row, activeSkills: row.activeSkills.map((skill) => ({ ...skill, step: 3 })) }
    const loaded = (name: string, success = true) =>
      [{ name, step: 3, envelope: { success } }] as unknown as Parameters<typeof nextCall>[2]
    const has = async (...args: Parameters<typeof nextCall>) =>
      (await nextCall(...args)).texts.join().includes('# Jam')
    expect(await has(kit.deps, row, loaded('get_skill'))).toBe(true)
    expect(await has(kit.deps, byModel, loaded('skills_load'))).toBe(true)
    expect(await has(kit.deps, byModel, loaded('get_skill'))).toBe(false)
    expect(await has(kit.deps, byModel, loaded('get_skill', false))).toBe(true)
    expect(await has(kit.deps, byModel, [])).toBe(true)
  })

  test('the file of a trusted project is part of it, and none of a project that is not', async () => {
    kit = await createKit({ skills: { jam: SKILL } })
    writeFileSync(join(kit.home, 'AGENTS.md'), 'Use tabs, always.')
    kit.projects.push({ dir: kit.home, name: 'p', trusted: true, openedAt: 0 })
    const row = kit.row(kit.chat(kit.home))
    expect((await nextCall(kit.deps, row)).texts.join()).toContain('Use tabs, always.')
    kit.projects[0]!.trusted = false
    expect((await nextCall(kit.deps, row)).texts.join()).not.toContain('Use tabs, always.')
  })

  test('of a file that is too long the start is part of it, and model and person are told', async () => {
    kit = await createKit({ skills: { jam: SKILL } })
    writeFileSync(join(kit.home, 'AGENTS.md'), `Use tabs.${'ä'.repeat(16_000)}`)
    kit.projects.push({ dir: kit.home, name: 'p', trusted: true, openedAt: 0 })
    const id = kit.chat(kit.home)
    const text = (await nextCall(kit.deps, kit.row(id))).texts.join()
    const cut = 'it has 32,009 bytes, and only its first 32,000 are in the instructions'
    expect(text).toContain(`ä\n[AGENTS.md is cut here: ${cut}. Read the file for the rest.]`)
    expect(toDetail(kit.deps, kit.row(id)).agent.notes).toEqual([
      expect.stringContaining(`AGENTS.md of this project is too long: ${cut}.`),
    ])
    writeFileSync(join(kit.home, 'AGENTS.md'), 'Use tabs.')
    expect(toDetail(kit.deps, kit.row(id)).agent.notes).toEqual([])
  })
})

describe('catalogueOf', () => {
  test('the settings say how many entries and how much of the window', async () => {
    const deps = await withSkills(60)
    const row = kit.row(kit.chat())
    const limited = (more: Record<string, unknown>) =>
      catalogueOf({ ...deps, settings: () => ({ ...Settings.parse({}), ...more }) }, row)
    expect(limited({}).entries).toBe(50)
    expect(limited({ catalogueMax: 7 })).toMatchObject({ entries: 7, omitted: 53, descriptions: 'full' })
    expect(limited({ catalogueMax: 60, catalogueShare: 0.01 })).toMatchObject({ entries: 60 })
    expect(limited({ catalogueMax: 60, catalogueShare: 0.01 }).tokens).toBeLessThanOrEqual(2000)
  })

  test('over the limit it keeps what the last two messages are about', async () => {
    const deps = await withSkills(200)
    const id = kit.chat()
    for (const text of ['Charts number 198?', 'Number 199.', 'Now number 197, please.'])
      await kit.say(id, text)
    const { shown } = catalogueOf(deps, kit.row(id))
    const relevant = shown.filter(({ why }) => why === 'relevant').map(({ name }) => name)
    expect(relevant).toEqual(expect.arrayContaining(['skill-00197', 'skill-00199']))
    expect(shown.map(({ name }) => name)).not.toContain('skill-00198')
  })

  test('a skill that is active counts as used lately', async () => {
    const deps = await withSkills(200)
    const row = kit.row(kit.chat())
    const active = [
      {
        name: 'skill-00150',
        key: 'skill-00150',
        scope: 'personal' as const,
        digest: 'd',
        tokens: 1,
        step: 0,
        changedOnDisk: false,
      },
    ]
    const { shown } = catalogueOf(deps, { ...row, activeSkills: active })
    expect(shown).toContainEqual({ name: 'skill-00150', why: 'recent' })
  })

  test('compact has the same instructions with 1, 1,000 and 10,000 skills', async () => {
    const texts: string[] = []
    for (const count of [1, 1000, 10_000]) {
      const deps = await withSkills(count)
      const settings = () => Settings.parse({ defaultStyle: 'compact' })
      const call = await nextCall({ ...deps, settings }, kit.row(kit.chat()))
      expect([call.catalogue.entries, call.catalogue.omitted]).toEqual([0, count])
      expect(Buffer.byteLength(call.catalogue.text)).toBeLessThan(1000)
      texts.push(call.texts.join())
      await kit.remove()
    }
    expect(new Set(texts).size).toBe(1)
    kit = await createKit({ skills: {} })
  })
})

describe('prepareCatalogue', () => {
  test('in steps it is the same as in one go', async () => {
    const { deps, row, swap } = await withManySkills()
    expect(mustPrepare(deps, row)).toBe(true)
    await prepareCatalogue(deps, row)
    expect(mustPrepare(deps, row)).toBe(false)
    const inSteps = catalogueOf(deps, row)
    swap()
    const inOneGo = catalogueOf(deps, row)
    expect(inSteps.shown).toHaveLength(50)
    expect(JSON.parse(JSON.stringify(inSteps).replaceAll('old-', 'new-'))).toEqual(inOneGo)
  })

  test('of two lists of the registry none gets into the other', async () => {
    const { deps, row, swap } = await withManySkills()
    const prepared = prepareCatalogue(deps, row)
    await new Promise(setImmediate)
    swap()
    const { shown } = catalogueOf(deps, row)
    expect(shown.every(({ name }) => name.startsWith('new-'))).toBe(true)
    await prepared
    expect(catalogueOf(deps, row).shown).toEqual(shown)
    swap()
    expect(mustPrepare(deps, row)).toBe(false)
    const { text } = catalogueOf(deps, row)
    expect([text.includes('old-'), text.includes('new-')]).toEqual([true, false])
  })

  test('two at a time for the same question are one', async () => {
    const { deps, row } = await withManySkills()
    await Promise.all([prepareCatalogue(deps, row), prepareCatalogue(deps, row)])
    const first = catalogueOf(deps, row)
    await prepareCatalogue(deps, row)
    expect(catalogueOf(deps, row)).toBe(first)
  })

  test('the page has the last one until the next is written, then it is told', async () => {
    const { deps, row, swap } = await withManySkills()
    const told = () => undefined
    const before = shownCatalogue(deps, row, [], told)
    swap()
    await new Promise<void>((tell) => expect(shownCatalogue(deps, row, [], tell)).toBe(before))
    expect(shownCatalogue(deps, row, [], told).text).toContain('new-')
  })
})
