import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { displayPath } from '../../../../src/cli/here/places'
import { testWorld } from '../cli-world'
import type { TestWorld } from '../cli-world'

const codesOf = async (world: TestWorld, name: string): Promise<unknown> => {
  const { result } = await world.json('skills', 'show', name)
  const { diagnostics, problems } = result as { diagnostics: { code: string }[]; problems: number }
  return [diagnostics.map(({ code }) => code), problems]
}

test('show tells what a skill has only beside others, as doctor does', async () => {
  const world = testWorld()
  const description = 'Straightens crooked pages of scanned letters. Use when a scan is crooked.'
  world.skill('home/.satchel/skills/one', { description })
  world.skill('home/.satchel/skills/two', { description })
  world.skill('home/.satchel/skills/dup', { description: 'Is a first one. Use it elsewhere.' })
  world.skill('home/.satchel/skills/later/dup', { description: 'Sings aloud at night. Use it never.' })
  world.write(
    'home/.satchel/skills/needs/SKILL.md',
    '---\nname: needs\ndescription: Needs one more. Use it when that is there.\nrequires: [nobody]\n---\nDo it.\n',
  )
  expect(await codesOf(world, 'needs')).toEqual([['requires-missing'], 1])
  expect(await codesOf(world, 'two')).toEqual([['description-alike'], 1])
  expect((await world.run('skills', 'show', 'needs')).out).toContain('warning requires-missing')
  const { result } = await world.json('skills', 'doctor')
  const { skills } = result as { skills: { location: string; diagnostics: { message: string }[] }[] }
  const twice = skills.flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message))
  expect(twice).toContain(
    'The name "dup" stands twice in Personal; the copy in "~/.satchel/skills/dup" counts.',
  )
})

test('list says on stderr that a folder was not searched to its end', async () => {
  const world = testWorld()
  const skills = join(world.home, '.satchel/skills')
  for (let at = 0; at < 2010; at += 1) mkdirSync(join(skills, `empty-${at}`), { recursive: true })
  world.skill('home/.satchel/skills/zebra')
  const { exit, err } = await world.run('skills', 'list')
  expect(exit).toBe(0)
  expect(err).toBe('Personal: ~/.satchel/skills: Only the first 2000 folders were searched.\n')
})

test('the scan is kept in the file in which the app keeps it', async () => {
  const world = testWorld()
  const data = join(world.home, 'data')
  mkdirSync(data)
  Object.assign(world.world, { env: { ...world.world.env, SATCHEL_HOME: data } })
  world.skill('home/.satchel/skills/mine')
  for (const name of ['index.db', 'scan.db']) new Database(join(data, name)).close()
  await world.run('skills', 'list')
  const tables = (name: string) => {
    const sql = new Database(join(data, name), { readonly: true })
    const found = sql.prepare("SELECT name FROM sqlite_schema WHERE name = 'scan'").all()
    sql.close()
    return found.length
  }
  expect({ index: tables('index.db'), scan: tables('scan.db') }).toEqual({ index: 0, scan: 1 })
})

test('at the top of a file system paths are whole', () => {
  const { world } = testWorld()
  expect(displayPath({ ...world, cwd: '/' }, '/opt/skills')).toBe('/opt/skills')
  expect(displayPath({ ...world, cwd: '/', homeDir: '/' }, '/')).toBe('/')
  expect(displayPath({ ...world, cwd: '/opt', homeDir: '/' }, '/etc/x')).toBe('/etc/x')
})
