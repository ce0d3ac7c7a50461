import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, listSkills, type TestApp } from '../../../helpers/app'

const SKILL = '---\nname: notes\ndescription: Keeps notes.\n---\n\nWrite them down.\n'
const TYPED = SKILL.replace('Write them down.', 'Mine.')

let world: TestApp
let skills: string

const keyOf = (name: string) => `personal:${join(skills, name)}`
const call = () => world.app.handlers
const gone = () => call()['editor.goneDrafts']({})
const type = (path: string, text: string) =>
  call()['editor.keepDraft']({ key: keyOf('notes'), path, text, before: null })

async function create(name: string): Promise<string> {
  const request = { do: 'create', name, place: 'personal', template: 'blank', description: '' } as const
  const { hash } = await call()['arrange.plan']({ projectDir: null, request })
  const { path } = await call()['arrange.do']({ projectDir: null, request, planHash: hash })
  return path!
}

beforeEach(async () => {
  world = await createTestApp({ skills: { notes: { 'SKILL.md': SKILL } } })
  skills = join(world.home, '.satchel', 'skills')
  await listSkills(world.app, null)
  await type('SKILL.md', TYPED)
  await type('docs/new.md', 'never saved\n')
})
afterEach(() => world.remove())

describe('unsaved text of a skill that somebody else deleted', () => {
  beforeEach(async () => {
    rmSync(join(skills, 'notes'), { recursive: true })
    await call()['skills.rescan']({})
  })

  test('is kept, and told with its files', async () => {
    const [one, ...more] = await gone()
    expect(more).toEqual([])
    expect(one).toMatchObject({ key: keyOf('notes'), name: 'notes' })
    expect(one!.paths.toSorted()).toEqual(['SKILL.md', 'docs/new.md'])
  })

  test('becomes the unsaved text of a new skill, and saving writes it there', async () => {
    const folder = await create('diary')
    const blank = readFileSync(join(folder, 'SKILL.md'), 'utf8')
    await call()['editor.adoptDrafts']({ from: keyOf('notes'), folder })
    expect(await gone()).toEqual([])
    expect(readFileSync(join(folder, 'SKILL.md'), 'utf8')).toBe(blank)
    const key = keyOf('diary')
    const { files, folders } = await call()['editor.open']({ key })
    expect([files.map(({ path }) => path), folders]).toEqual([['SKILL.md', 'docs/new.md'], ['docs']])
    for (const path of ['SKILL.md', 'docs/new.md']) {
      const { draft, digest } = await call()['editor.read']({ key, path })
      expect(draft!.before).toBe(digest)
      await call()['editor.save']({ key, path, text: draft!.text, before: digest })
    }
    expect(readFileSync(join(folder, 'SKILL.md'), 'utf8')).toBe(TYPED.replace('name: notes', 'name: diary'))
    expect(readFileSync(join(folder, 'docs/new.md'), 'utf8')).toBe('never saved\n')
    expect(await call()['editor.drafts']({})).toEqual([])
  })

  test('outlives a new skill of the same name, which takes it over or leaves it to be offered', async () => {
    const folder = await create('notes')
    const blank = readFileSync(join(folder, 'SKILL.md'), 'utf8')
    const { draft } = await call()['editor.read']({ key: keyOf('notes'), path: 'SKILL.md' })
    expect(draft).toBeNull()
    expect(await call()['editor.drafts']({})).toEqual([])
    expect((await gone()).map(({ name, paths }) => [name, paths.length])).toEqual([['notes', 2]])
    await call()['editor.adoptDrafts']({ from: keyOf('notes'), folder })
    expect(await gone()).toEqual([])
    const taken = await call()['editor.read']({ key: keyOf('notes'), path: 'SKILL.md' })
    expect([taken.text, taken.draft?.text]).toEqual([blank, TYPED])
    expect(taken.draft?.before).toBe(taken.digest)
  })

  test('never takes the place of what is typed in the other one', async () => {
    const folder = await create('diary')
    await call()['editor.keepDraft']({ key: keyOf('diary'), path: 'a.md', text: 'own', before: null })
    const adopting = call()['editor.adoptDrafts']({ from: keyOf('notes'), folder })
    await expect(adopting).rejects.toMatchObject({ code: 'bad_input' })
    expect(await gone()).toHaveLength(1)
  })

  test('is nothing to be told when the skill comes back', async () => {
    mkdirSync(join(skills, 'notes'))
    writeFileSync(join(skills, 'notes', 'SKILL.md'), SKILL)
    await call()['skills.rescan']({})
    expect(await gone()).toEqual([])
    const { draft } = await call()['editor.read']({ key: keyOf('notes'), path: 'SKILL.md' })
    expect(draft!.text).toBe(TYPED)
  })
})

test('unsaved text of a skill in a project that is not open, or in the trash, is none of a skill that is gone', async () => {
  const project = join(world.home, 'closed', '.satchel', 'skills', 'other')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'SKILL.md'), SKILL)
  await call()['editor.keepDraft']({ key: `project:${project}`, path: 'a.md', text: 'x', before: null })
  expect(await gone()).toEqual([])
  const request = { do: 'delete', key: keyOf('notes') } as const
  const { hash } = await call()['arrange.plan']({ projectDir: null, request })
  await call()['arrange.do']({ projectDir: null, request, planHash: hash })
  expect(existsSync(join(skills, 'notes'))).toBe(false)
  expect(await gone()).toEqual([])
})
