import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { readKnownState } from '../../../../src/cli/here/known-state'
import { addSwitch, setPin } from '../../../../src/main/db/skill-choice-rows'
import { openForLook } from '../../../../src/main/db/look'
import { openDb } from '../../../../src/main/db/open'
import type { Db } from '../../../../src/main/db/open'
import { setTrust, upsertProject } from '../../../../src/main/db/project-rows'
import { writeSetting } from '../../../../src/main/db/setting-rows'
import { dataFolder, userDataFolder } from '../../../../src/main/lib/data-folder'
import { testWorld } from '../cli-world'
import type { TestWorld } from '../cli-world'

interface DataWorld extends TestWorld {
  data: string
  file: string
}

/** A data folder that the app has written to and closed, unless `keep` leaves it open. */
function withData(fill: (db: Db, cwd: string) => void): DataWorld {
  const world = testWorld()
  const data = join(world.home, 'data')
  Object.assign(world.world, { env: { ...world.world.env, SATCHEL_HOME: data } })
  const file = join(data, 'satchel.db')
  const db = openDb(file)
  fill(db, world.cwd)
  db.close()
  return { ...world, data, file }
}

function openProject({ sql }: Db, dir: string, trusted: boolean): void {
  upsertProject(sql, { dir, name: 'p', openedAt: 1 })
  setTrust(sql, dir, trusted)
}

const statusOf = async ({ json }: TestWorld, name: string): Promise<unknown> => {
  const { result } = await json('skills', 'show', name)
  const { status, statusReason, scope } = result as Record<string, unknown>
  return [scope, status, statusReason]
}

test.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', {}, '/home/a/.config/Satchel'],
  ['linux', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/Satchel'],
  ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/a/.config/Satchel'],
  ['darwin', {}, '/home/a/Library/Application Support/Satchel'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Satchel'],
  ['win32', {}, '/home/a/AppData/Roaming/Satchel'],
])("on %s with %j the app's data lies in %s", (platform, env, folder) => {
  expect(userDataFolder({ platform, env, homeDir: '/home/a' })).toBe(folder)
})

test('SATCHEL_HOME names the data folder, and must be absolute', () => {
  expect(dataFolder({ satchelHome: '/data/x/..', userData: '/u' })).toBe('/data')
  expect(dataFolder({ satchelHome: undefined, userData: '/u' })).toBe('/u')
  expect(dataFolder({ satchelHome: '', userData: '/u' })).toBe('/u')
  expect(() => dataFolder({ satchelHome: 'x', userData: '/u' })).toThrow('must be an absolute path')
})

test('a SATCHEL_HOME that is not absolute is a failure with a sentence', async () => {
  const { run } = testWorld({ env: { SATCHEL_HOME: 'here' } })
  const { exit, err } = await run('skills', 'list')
  expect(exit).toBe(1)
  expect(err).toContain('SATCHEL_HOME must be an absolute path')
})

test("trust is read from the app's data", async () => {
  const world = withData((db, cwd) => openProject(db, cwd, true))
  world.skill('cwd/.satchel/skills/theirs')
  expect(await statusOf(world, 'theirs')).toEqual(['project', 'effective', ''])
  expect((await world.json('skills', 'list')).result).toMatchObject({ project: world.cwd, trusted: true })
})

test('a folder that the app opened is the project, also deep inside a checkout', async () => {
  const world = testWorld()
  const inner = join(world.cwd, 'packages', 'one')
  mkdirSync(join(inner, 'src'), { recursive: true })
  mkdirSync(join(world.cwd, '.git'))
  const data = join(world.home, 'data')
  const db = openDb(join(data, 'satchel.db'))
  openProject(db, inner, true)
  db.close()
  Object.assign(world.world, { cwd: join(inner, 'src'), env: { ...world.world.env, SATCHEL_HOME: data } })
  expect((await world.json('skills', 'list')).result).toMatchObject({ project: inner, trusted: true })
  Object.assign(world.world, { cwd: join(world.cwd, 'packages') })
  expect((await world.json('skills', 'list')).result).toMatchObject({ project: world.cwd, trusted: false })
})

test('skills that a person turned off or chose are shown so', async () => {
  const world = withData((db, cwd) => {
    openProject(db, cwd, true)
    addSwitch(db.sql, { name: 'csv-report', projectDir: '', agent: '' })
    setPin(db.sql, { projectDir: cwd, name: 'json-tidy', key: `project:${cwd}/.satchel/skills/json-tidy` })
  })
  world.skill('cwd/.satchel/skills/json-tidy')
  world.skill('home/.satchel/skills/json-tidy')
  expect(await statusOf(world, 'csv-report')).toEqual(['bundled', 'off', 'You turned it off everywhere.'])
  expect(await statusOf(world, 'json-tidy')).toEqual(['project', 'effective', ''])
  expect((await world.run('skills', 'conflicts')).out).toContain('You chose this copy for the project.')
})

test('the flip setting of the person counts', async () => {
  const world = withData((db, cwd) => {
    openProject(db, cwd, true)
    writeSetting(db.sql, 'settings', { projectOverPersonal: true })
  })
  world.skill('cwd/.satchel/skills/both')
  world.skill('home/.satchel/skills/both')
  expect(await statusOf(world, 'both')).toEqual(['project', 'effective', ''])
})

test('a trusted project says for which place it is, and an untrusted one does not', async () => {
  const world = withData((db, cwd) => openProject(db, cwd, true))
  world.write(
    'home/.satchel/skills/only/SKILL.md',
    '---\nname: only\ndescription: Deploys. Use it to deploy something somewhere.\nscope:\n  environments: [production]\n---\nDo it.\n',
  )
  expect(await statusOf(world, 'only')).toMatchObject([
    'personal',
    'unavailable',
    expect.stringContaining('none is set'),
  ])
  world.write('cwd/.satchel/settings.json', '{"environment": "production"}')
  expect(await statusOf(world, 'only')).toEqual(['personal', 'effective', ''])
  world.write('cwd/.satchel/settings.json', '{"environment": 1}')
  expect((await world.run('skills', 'doctor')).out).toContain('.satchel/settings.json of this project:')
})

test('SATCHEL_ENV names the environment', async () => {
  const world = testWorld({ env: { SATCHEL_ENV: 'production' } })
  world.write(
    'home/.satchel/skills/only/SKILL.md',
    '---\nname: only\ndescription: Deploys. Use it to deploy something somewhere.\nscope:\n  environments: [production]\n---\nDo it.\n',
  )
  expect(await statusOf(world, 'only')).toEqual(['personal', 'effective', ''])
})

test('looking leaves the data folder as it is, file by file', async () => {
  const world = withData((db, cwd) => openProject(db, cwd, true))
  const before = snapshot(world.data)
  for (const args of [['list'], ['search', 'json'], ['doctor'], ['show', 'json-tidy']]) {
    expect((await world.run('skills', ...args)).exit).toBe(0)
  }
  expect(snapshot(world.data)).toEqual(before)
})

test('what the app has not yet merged into its file is seen while it is open', async () => {
  const world = withData((db, cwd) => openProject(db, cwd, false))
  const db = openDb(world.file)
  setTrust(db.sql, world.cwd, true)
  const state = await readKnownState(world.world)
  expect(state.projects).toMatchObject([{ dir: world.cwd, trusted: true }])
  state.close()
  db.close()
})

test('data of a newer version is refused without a write', async () => {
  const world = withData(({ sql }) => void sql.pragma('user_version = 999'))
  const before = snapshot(world.data)
  for (const args of [
    ['list'],
    ['search', 'x'],
    ['conflicts'],
    ['doctor'],
    ['show', 'json-tidy'],
    ['digest', 'json-tidy'],
  ]) {
    const { exit, err, out } = await world.run('skills', ...args)
    expect([exit, out]).toEqual([1, ''])
    expect(err).toContain('written by a newer Satchel')
  }
  expect((await world.json('skills', 'list')).envelope).toMatchObject({ error_code: 'newer_data' })
  expect(snapshot(world.data)).toEqual(before)
})

test('data of an older version is read without a change', async () => {
  const world = withData((db, cwd) => {
    openProject(db, cwd, true)
    db.sql.exec('DROP TABLE skill_switches; DROP TABLE skill_pins; PRAGMA user_version = 1')
  })
  const before = snapshot(world.data)
  world.skill('cwd/.satchel/skills/theirs')
  expect(await statusOf(world, 'theirs')).toEqual(['project', 'effective', ''])
  expect(snapshot(world.data)).toEqual(before)
})

test.each([
  [
    'damaged',
    (file: string) =>
      writeFileSync(file, 'this is no database, but long enough to be read as one'.repeat(50)),
  ],
  ['empty', (file: string) => writeFileSync(file, '')],
])('a database that is %s does not keep skills from being listed', async (name, spoil) => {
  const world = withData(() => undefined)
  spoil(world.file)
  const { exit, out, err } = await world.run('skills', 'list')
  expect(exit).toBe(0)
  expect(out).toContain('json-tidy')
  if (name === 'damaged') expect(err).toContain('could not be read')
})

test("the app's own index is used, completed and left in order", async () => {
  const world = withData(() => undefined)
  world.skill('home/.satchel/skills/deskewer', { body: 'Straightens crooked pages.\n' })
  const index = join(world.data, 'index.db')
  new Database(index).close()
  expect((await world.run('skills', 'search', 'crooked')).out).toContain('deskewer')
  const sql = new Database(index, { readonly: true })
  expect(sql.prepare("SELECT count(*) AS n FROM docs WHERE key LIKE 'personal:%'").get()).toEqual({ n: 1 })
  sql.close()
  expect((await world.run('skills', 'search', 'crooked')).out).toContain('deskewer')
})

test('a database that is looked at whole is the same as where it lies', () => {
  const world = withData((db, cwd) => openProject(db, cwd, true))
  const copy = join(world.home, 'copy.db')
  copyFileSync(world.file, copy)
  const sql = openForLook(copy)
  expect(sql?.prepare('SELECT count(*) AS n FROM projects').get()).toEqual({ n: 1 })
  sql?.close()
  expect(existsSync(`${copy}-wal`) || existsSync(`${copy}-shm`)).toBe(false)
  expect(openForLook(join(world.home, 'none.db'))).toBeNull()
})

function snapshot(dir: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(dir).map((name) => [name, readFileSync(join(dir, name)).toString('base64')]),
  )
}
