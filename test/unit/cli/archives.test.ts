import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeZip } from '../main/skills/zip'
import { asNobody } from './as-nobody'
import { testWorld } from './cli-world'
import type { TestWorld } from './cli-world'

const SKILL_MD = '---\nname: deskew\ndescription: Straightens crooked pages. Use for scans.\n---\nDo it.\n'

function withArchive(): TestWorld {
  const world = testWorld()
  world.write(
    'home/deskew.zip',
    makeZip([
      { name: 'deskew/SKILL.md', content: SKILL_MD },
      { name: 'deskew/parts/fix/SKILL.md', content: SKILL_MD.replace('deskew', 'fix') },
    ]),
  )
  world.write(
    'home/.satchel/sources.json',
    '{"version": 1, "sources": [{"kind": "archive", "file": "~/deskew.zip"}]}',
  )
  return world
}

const scratches = () => readdirSync(tmpdir()).filter((name) => /^satchel-[A-Za-z0-9]{6}$/.test(name))

test('without a data folder a skill of an archive has the archive as its place, in every run', async () => {
  const world = withArchive()
  const place = { key: `personal:${world.home}/deskew.zip/deskew`, path: `${world.home}/deskew.zip/deskew` }
  const { result } = await world.json('skills', 'list', 'name:deskew')
  expect(result).toMatchObject({ skills: [place] })
  expect((await world.json('skills', 'show', 'deskew')).result).toMatchObject(place)
  expect((await world.json('skills', 'search', 'crooked', 'name:deskew')).result).toMatchObject({
    skills: [place],
  })
  expect((await world.json('skills', 'list', '--all', 'name:fix')).result).toMatchObject({
    skills: [{ key: `${place.key}/parts/fix`, parent: place.key }],
  })
  expect((await world.run('skills', 'show', 'deskew')).out).toMatch(/Where +~\/deskew\.zip\/deskew\n/)
})

test('the digest of such a skill is that of its files', async () => {
  const world = withArchive()
  world.write('cwd/deskew/SKILL.md', SKILL_MD)
  world.write('cwd/deskew/parts/fix/SKILL.md', SKILL_MD.replace('deskew', 'fix'))
  const { exit, result } = await world.json('skills', 'digest', 'deskew', '--files')
  expect(exit).toBe(0)
  expect(result).toMatchObject({
    path: `${world.home}/deskew.zip/deskew`,
    files: [{ path: 'SKILL.md' }, { path: 'parts/fix/SKILL.md' }],
  })
  const same = (await world.json('skills', 'digest', './deskew')).result as { digest: string }
  expect(result).toMatchObject({ digest: same.digest })
})

test('what was unpacked is gone afterwards, also without the rights of root', async () => {
  const world = withArchive()
  const before = scratches()
  const { exit, out } = await asNobody(world, () => world.run('skills', 'list'))
  expect(exit).toBe(0)
  expect(out).toContain('deskew')
  expect(scratches()).toEqual(before)
})

test('with a data folder it stays there', async () => {
  const world = withArchive()
  const data = join(world.home, 'data')
  mkdirSync(data)
  Object.assign(world.world, { env: { ...world.world.env, SATCHEL_HOME: data } })
  const { result } = await world.json('skills', 'list', 'name:deskew')
  const [{ key, path }] = (result as { skills: [{ key: string; path: string }] }).skills
  expect(key).toBe(`personal:${path}`)
  expect(existsSync(join(path, 'SKILL.md'))).toBe(true)
})
