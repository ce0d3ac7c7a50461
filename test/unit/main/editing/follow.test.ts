import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, listSkills, type TestApp } from '../../../helpers/app'

const SKILL = '---\nname: notes\ndescription: Keeps notes.\n---\n\nWrite them down.\n'
const TYPED = SKILL.replace('Write them down.', 'Mine.')

let world: TestApp
let skills: string

const keyOf = (name: string) => `personal:${join(skills, name)}`
const call = () => world.app.handlers
const read = (name: string) => call()['editor.read']({ key: keyOf(name), path: 'SKILL.md' })

async function follow(name: string): Promise<string | null> {
  await call()['skills.rescan']({})
  return (await call()['editor.follow']({ key: keyOf(name) })).key
}

async function type(name: string, text: string): Promise<void> {
  const { digest } = await read(name)
  await call()['editor.keepDraft']({ key: keyOf(name), path: 'SKILL.md', text, before: digest })
}

async function rename(from: string, to: string): Promise<void> {
  const request = { do: 'rename', key: keyOf(from), name: to } as const
  const { hash } = await call()['arrange.plan']({ projectDir: null, request })
  await call()['arrange.do']({ projectDir: null, request, planHash: hash })
}

beforeEach(async () => {
  let time = 1_000_000
  const now = () => (time += 1)
  world = await createTestApp({ skills: { notes: { 'SKILL.md': SKILL } }, deps: { now } })
  skills = join(world.home, '.satchel', 'skills')
  await listSkills(world.app, null)
  await call()['editor.open']({ key: keyOf('notes') })
})
afterEach(() => world.remove())

describe('a skill that is open in the editor', () => {
  test('is found again where another program gave its folder another name, with what was typed', async () => {
    await type('notes', TYPED)
    renameSync(join(skills, 'notes'), join(skills, 'diary'))
    expect(await follow('notes')).toBe(keyOf('diary'))
    const { draft, digest } = await read('diary')
    expect(draft).toMatchObject({ text: TYPED, before: digest })
  })

  test('is found again where another Satchel renamed it, with what was typed there since', async () => {
    await type('notes', 'typed first')
    await rename('notes', 'diary')
    const before = (await read('diary')).draft?.before ?? null
    await call()['editor.keepDraft']({ key: keyOf('notes'), path: 'SKILL.md', text: TYPED, before })
    expect(await follow('notes')).toBe(keyOf('diary'))
    expect((await read('diary')).draft?.text).toBe(TYPED)
  })

  test('is found again after two renames', async () => {
    await rename('notes', 'diary')
    await rename('diary', 'journal')
    expect(await follow('notes')).toBe(keyOf('journal'))
  })

  test('is not taken for another one that comes where it went', async () => {
    rmSync(join(skills, 'notes'), { recursive: true })
    mkdirSync(join(skills, 'other'))
    writeFileSync(join(skills, 'other', 'SKILL.md'), SKILL)
    expect(await follow('notes')).toBeNull()
  })

  test('is not followed to where an earlier one of its name went', async () => {
    await rename('notes', 'diary')
    mkdirSync(join(skills, 'notes'))
    writeFileSync(join(skills, 'notes', 'SKILL.md'), SKILL)
    await call()['skills.rescan']({})
    await call()['editor.open']({ key: keyOf('notes') })
    rmSync(join(skills, 'notes'), { recursive: true })
    expect(await follow('notes')).toBeNull()
  })

  test('is itself while it is there', async () => {
    expect(await follow('notes')).toBeNull()
  })
})
