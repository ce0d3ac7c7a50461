import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { asNobody } from './as-nobody'
import { testWorld } from './cli-world'
import type { TestWorld } from './cli-world'

/** Nobody may read it until the test is over. */
function close(path: string): void {
  chmodSync(path, 0o000)
  onTestFinished(() => chmodSync(path, 0o755))
}

function withClosedSkill(): TestWorld {
  const world = testWorld()
  world.skill('cwd/closed')
  world.skill('cwd/good')
  close(join(world.cwd, 'closed/SKILL.md'))
  return world
}

test.each([
  ['--strict', "SKILL.md can't be read: permission denied"],
  ['--exact', "PermissionError: [Errno 13] Permission denied: 'closed/SKILL.md'"],
])('%s says of a SKILL.md without rights that it can not be read, and goes on', async (mode, line) => {
  const world = withClosedSkill()
  const printed = await asNobody(world, () => world.run('skills', 'validate', mode, 'closed', 'good'))
  expect(printed).toEqual({
    exit: 1,
    out: 'Valid skill: good\n',
    err: `Validation failed for closed:\n  - ${line}\n`,
  })
})

test.each([
  ['--strict', 'folder', "The folder can't be read: permission denied"],
  ['--strict', 'folder/SKILL.md', "The path can't be read: permission denied"],
  ['--exact', 'folder', "PermissionError: [Errno 13] Permission denied: 'folder'"],
])('%s says of %s without rights that it can not be read', async (mode, path, line) => {
  const world = testWorld()
  world.skill('cwd/folder')
  close(join(world.cwd, 'folder'))
  const { exit, err } = await asNobody(world, () => world.run('skills', 'validate', mode, path))
  expect(exit).toBe(1)
  expect(err).toBe(`Validation failed for ${path}:\n  - ${line}\n`)
})

test.each(['folder', 'folder/SKILL.md', 'folder/inner'])(
  'validate %s in a folder without rights says that it can not be read',
  async (path) => {
    const world = testWorld()
    mkdirSync(join(world.cwd, 'folder'))
    close(join(world.cwd, 'folder'))
    const { exit, out } = await asNobody(world, () => world.run('skills', 'validate', path))
    expect(exit).toBe(1)
    expect(out).toContain(`error unreadable\n  ${path} can't be read.\n  Fix: Give yourself the right`)
  },
)

test.each(['link', 'inner', 'linked/SKILL.md'])(
  'validate says as doctor does that .satchel/skills/%s leaves the project',
  async (path) => {
    const world = testWorld()
    const skills = join(world.cwd, '.satchel/skills')
    mkdirSync(join(skills, 'linked'), { recursive: true })
    world.skill('home/outside/inner')
    symlinkSync(join(world.home, 'outside/inner'), join(skills, path === 'inner' ? 'inner' : 'link'))
    symlinkSync(join(world.home, 'outside/inner/SKILL.md'), join(skills, 'linked/SKILL.md'))
    const { exit, out } = await world.run('skills', 'validate', `.satchel/skills/${path}`)
    expect(exit).toBe(1)
    expect(out).toMatch(/error link-leaves-project\n.* a link that .*leaves the project/)
  },
)

test('a link in a folder that is none of skills may lead anywhere', async () => {
  const world = testWorld()
  mkdirSync(join(world.cwd, '.git'))
  world.skill('home/outside/inner')
  symlinkSync(join(world.home, 'outside/inner'), join(world.cwd, 'inner'))
  expect((await world.run('skills', 'validate', 'inner')).exit).toBe(0)
})

test('SATCHEL_HOME that is a file is told by every look, and by doctor', async () => {
  const world = testWorld()
  const file = world.write('home/data', 'no folder')
  Object.assign(world.world, { env: { ...world.world.env, SATCHEL_HOME: file } })
  const said = `The data folder ${file} is no folder, so every project counts as not trusted and no choice of yours is known. Let SATCHEL_HOME name a folder.`
  for (const command of ['list', 'conflicts']) {
    expect(await world.run('skills', command)).toMatchObject({ exit: 0, err: `${said}\n` })
  }
  expect((await world.run('skills', 'show', 'json-tidy')).err).toBe(`${said}\n`)
  expect((await world.run('skills', 'doctor')).out).toContain(said)
})

test('a data folder without rights is told', async () => {
  const world = testWorld()
  mkdirSync(join(world.home, 'data'))
  close(join(world.home, 'data'))
  Object.assign(world.world, { env: { ...world.world.env, SATCHEL_HOME: join(world.home, 'data') } })
  const { exit, err } = await asNobody(world, () => world.run('skills', 'list'))
  expect(exit).toBe(0)
  expect(err).toContain(`The data in ${join(world.home, 'data')} could not be read`)
})

test('digest of what has no SKILL.md that can be read is a failure', async () => {
  const world = testWorld()
  mkdirSync(join(world.cwd, 'folder/SKILL.md'), { recursive: true })
  mkdirSync(join(world.cwd, 'lost'))
  symlinkSync('nowhere', join(world.cwd, 'lost/SKILL.md'))
  for (const name of ['folder', 'lost']) {
    const { exit, out, err } = await world.run('skills', 'digest', `./${name}`)
    expect([exit, out]).toEqual([1, ''])
    expect(err).toContain(`The SKILL.md of "${name}" is no file that can be read, so there is no digest.`)
  }
})

test('digest says which file can not be read', async () => {
  const world = testWorld()
  world.skill('cwd/closed')
  writeFileSync(join(world.cwd, 'closed/data.txt'), 'x')
  close(join(world.cwd, 'closed/data.txt'))
  const { exit, err } = await asNobody(world, () => world.run('skills', 'digest', './closed'))
  expect(exit).toBe(1)
  expect(err).toContain('"data.txt" of the skill "closed" can\'t be read, so there is no digest.')
})

test('show has no sentence where the digest belongs', async () => {
  const world = testWorld()
  mkdirSync(join(world.home, '.satchel/skills'), { recursive: true })
  symlinkSync('nowhere', join(world.home, '.satchel/skills/gone'))
  const { out } = await world.run('skills', 'show', 'gone')
  expect(out).toMatch(/Status +won't load\. This is a link that leads nowhere\./)
  expect(out).not.toContain('Digest')
  mkdirSync(join(world.cwd, 'folder/SKILL.md'), { recursive: true })
  expect((await world.run('skills', 'show', './folder')).out).toMatch(/Digest +none: The SKILL\.md of/)
})
