import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, listSkills, type TestApp } from '../../../helpers/app'

const SKILL = '---\nname: notes\ndescription: Keeps notes.\n---\n\nWrite them down.\n'

let world: TestApp
let dir: string
let key: string

beforeEach(async () => {
  world = await createTestApp({ skills: { notes: { 'SKILL.md': SKILL, 'scripts/run.sh': 'echo 1\n' } } })
  dir = join(world.home, '.satchel', 'skills', 'notes')
  key = (await listSkills(world.app, null)).skills[0]!.key
})
afterEach(() => world.remove())

const skill = () => ({ projectDir: null, key })
const versions = async () => world.app.handlers['skillPage.versions'](skill())
const now = async () => (await versions()).find(({ isNow }) => isNow)!.digest
const restore = async (digest: string, expected: string) =>
  world.app.handlers['skillPage.restore']({ ...skill(), digest, expected })

function put(files: Readonly<Record<string, string>>, mode = 0o644) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text, { mode })
  }
}

describe('bringing back a version', () => {
  test('makes the files what they were: changed, deleted, new and executable ones', async () => {
    const before = await now()
    put({ 'SKILL.md': `${SKILL}More.\n`, 'references/new.md': 'new\n', 'tool.sh': 'echo\n' }, 0o755)
    rmSync(join(dir, 'scripts'), { recursive: true })
    const after = await now()
    await restore(before, after)
    expect(await now()).toBe(before)
    expect(readFileSync(join(dir, 'SKILL.md'), 'utf8')).toBe(SKILL)
    expect(readFileSync(join(dir, 'scripts/run.sh'), 'utf8')).toBe('echo 1\n')
    // Back and forth: what was there is a version too.
    await restore(after, before)
    expect(await now()).toBe(after)
    expect(statSync(join(dir, 'tool.sh')).mode & 0o100).toBe(0o100)
  })

  test('writes nothing when the disk has other files than were seen', async () => {
    const before = await now()
    put({ 'a.md': 'seen\n' })
    const seen = await now()
    put({ 'a.md': 'theirs\n' })
    await expect(restore(before, seen)).rejects.toMatchObject({ code: 'stale' })
    expect(readFileSync(join(dir, 'a.md'), 'utf8')).toBe('theirs\n')
  })

  test('is refused for contents of another skill', async () => {
    await expect(restore('e'.repeat(64), await now())).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is on record with what it replaced, and in the list', async () => {
    const before = await now()
    put({ 'a.md': 'new\n' })
    const after = await now()
    await restore(before, after)
    const [entry] = await world.app.handlers['audit.query']({
      filter: { actions: ['skill.restored'] },
      limit: 1,
    })
    expect(entry).toMatchObject({ actor: 'person', target: 'notes', data: { key, to: before, kept: after } })
    expect((await versions())[0]).toMatchObject({ digest: before, how: 'restored', isNow: true })
  })

  test('is told apart from what was saved here, and from what the disk tells of it afterwards', async () => {
    const { app } = world
    const before = await now()
    const { digest } = await app.handlers['editor.read']({ key, path: 'SKILL.md' })
    await app.handlers['editor.save']({ key, path: 'SKILL.md', text: `${SKILL}More.\n`, before: digest })
    const saved = await now()
    const hows = async () => (await versions()).map(({ digest, how }) => [digest, how])
    expect(await hows()).toEqual([
      [saved, 'saved'],
      [before, 'page'],
    ])
    await restore(before, saved)
    expect(await hows()).toEqual([
      [before, 'restored'],
      [saved, 'saved'],
    ])
  })

  test('takes the place of a file by a folder, and of a folder by a file', async () => {
    put({ 'thing/inside.md': 'inside\n' })
    const folder = await now()
    rmSync(join(dir, 'thing'), { recursive: true })
    put({ thing: 'a file\n' })
    const file = await now()
    await restore(folder, file)
    expect(await now()).toBe(folder)
    await restore(file, folder)
    expect(await now()).toBe(file)
  })

  test('loses no byte of whatever the files were', async () => {
    const tree = fc.dictionary(
      fc.constantFrom('a.md', 'b.md', 'deep/a.md', 'deep/er/b.md', 'scripts/run.sh'),
      fc.string({ maxLength: 20 }),
    )
    await fc.assert(
      fc.asyncProperty(tree, tree, async (first, second) => {
        const lay = (files: Record<string, string>) => {
          for (const part of ['a.md', 'b.md', 'deep', 'scripts'])
            rmSync(join(dir, part), { recursive: true, force: true })
          put(files)
        }
        lay(first)
        const one = await now()
        lay(second)
        const two = await now()
        if (one === two) return
        await restore(one, two)
        expect(await now()).toBe(one)
        await restore(two, one)
        expect(await now()).toBe(two)
      }),
      { numRuns: 4 },
    )
  })
})
