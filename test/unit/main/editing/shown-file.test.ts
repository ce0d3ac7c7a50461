import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApp, listSkills, type TestApp } from '../../../helpers/app'

const SKILL = '---\nname: notes\ndescription: Keeps notes.\n---\n\nWrite them down.\n'

let world: TestApp
let dir: string
let key: string
let dragged: string[]
let shown: string[]

beforeEach(async () => {
  dragged = []
  shown = []
  world = await createTestApp({
    skills: { notes: { 'SKILL.md': SKILL, 'scripts/run.sh': 'echo 1\n' } },
    deps: {
      desktop: {
        pickFolder: async () => null,
        pickNewFile: async () => null,
        openExternal: async () => undefined,
        reveal: async (path) => void shown.push(path),
        dragFile: (path) => void dragged.push(path),
        hasTerminal: () => false,
        openTerminal: async () => undefined,
      },
    },
  })
  dir = join(world.home, '.satchel', 'skills', 'notes')
  key = (await listSkills(world.app, null)).skills[0]!.key
})
afterEach(() => world.remove())

const drag = (path: string) => Promise.resolve(world.app.handlers['editor.dragOut']({ key, path }))
const reveal = (path: string) => Promise.resolve(world.app.handlers['editor.reveal']({ key, path }))
const whereIs = (path: string) => Promise.resolve(world.app.handlers['editor.whereIs']({ key, path }))

test('a file of the skill is dragged from where it lies, with what is saved of it', async () => {
  await world.app.handlers['editor.keepDraft']({ key, path: 'scripts/run.sh', text: 'typed', before: null })
  await drag('scripts/run.sh')
  await drag('./SKILL.md')
  expect(dragged).toEqual([join(dir, 'scripts/run.sh'), join(dir, 'SKILL.md')])
})

test('a link to a file of the same skill is dragged as that file', async () => {
  symlinkSync('scripts/run.sh', join(dir, 'again.sh'))
  await drag('again.sh')
  expect(dragged).toEqual([join(dir, 'scripts/run.sh')])
})

test('what was typed and never saved is not on disk, which is said', async () => {
  await world.app.handlers['editor.keepDraft']({ key, path: 'new.md', text: 'typed', before: null })
  await expect(drag('new.md')).rejects.toMatchObject({ code: 'not_found' })
  await expect(drag('new.md')).rejects.toThrow(
    '"new.md" is not on disk. If it was never saved, save it first.',
  )
  expect(dragged).toEqual([])
})

test.each([
  ['a link to a file elsewhere', 'out.txt', 'path_escape'],
  ['a file below a link to a folder elsewhere', 'out/secret.txt', 'path_escape'],
  ['a link to the folder of the skill itself', 'self', 'path_escape'],
  ['a link to a skill whose folder begins with the same name', 'beside', 'path_escape'],
  ['a link that leads nowhere', 'nowhere', 'not_found'],
  ['a link that leads back', 'loop', 'not_found'],
  ['a way up', '../notes/SKILL.md', 'path_escape'],
  ['an absolute path', '/etc/hostname', 'path_escape'],
  ['a percent-encoded way up', '%2e%2e/secret.txt', 'path_escape'],
  ['the folder itself', '.', 'path_escape'],
  ['a folder', 'scripts', 'bad_input'],
])('nothing is dragged for %s', async (_what, path, code) => {
  const outside = join(world.home, 'outside')
  mkdirSync(outside)
  mkdirSync(`${dir}-two`)
  writeFileSync(join(outside, 'secret.txt'), 'secret')
  writeFileSync(`${dir}-two/own.txt`, 'of another skill')
  symlinkSync(join(outside, 'secret.txt'), join(dir, 'out.txt'))
  symlinkSync(outside, join(dir, 'out'))
  symlinkSync('.', join(dir, 'self'))
  symlinkSync('../notes-two/own.txt', join(dir, 'beside'))
  symlinkSync('gone', join(dir, 'nowhere'))
  symlinkSync('loop', join(dir, 'loop'))
  await expect(drag(path)).rejects.toMatchObject({ code })
  expect(dragged).toEqual([])
})

test('nothing is dragged of a skill that is not there', async () => {
  const gone = world.app.handlers['editor.dragOut']({ key: 'personal:/nobody', path: 'SKILL.md' })
  await expect(Promise.resolve(gone)).rejects.toMatchObject({ code: 'not_found' })
})

test('files and folders are shown where they lie, and no other', async () => {
  await reveal('scripts')
  await reveal('scripts/run.sh')
  expect(shown).toEqual([join(dir, 'scripts'), join(dir, 'scripts/run.sh')])
  expect(await whereIs('SKILL.md')).toEqual({ path: join(dir, 'SKILL.md') })
  await expect(reveal('../notes')).rejects.toMatchObject({ code: 'path_escape' })
  await expect(whereIs('..')).rejects.toMatchObject({ code: 'path_escape' })
})
