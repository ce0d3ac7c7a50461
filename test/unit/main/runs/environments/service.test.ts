import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RunPlan } from '@shared/domain/approval'
import { openDb, type Db } from '../../../../../src/main/db/open'
import { PACKAGES_FOLDER } from '../../../../../src/main/runs/environments/plan'
import { createEnvironments, type Environments } from '../../../../../src/main/runs/environments/service'

const DAY = 24 * 60 * 60 * 1000

let home: string
let db: Db
let environments: Environments
let day = 0
let said: string[]

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-environments-')))
  db = openDb(join(home, 'satchel.db'))
  day = 0
  said = []
  environments = createEnvironments({
    db,
    dataDir: home,
    audit: ({ actor, action }) => void said.push(`${actor} ${action}`),
    now: () => day * DAY,
  })
})
afterEach(() => {
  db.close()
  rmSync(home, { recursive: true })
})

/** As an allowed preparation leaves it; gives its folder. */
async function prepared(key: string): Promise<string> {
  const workspace = environments.folderFor(key, 'call')
  await environments.begin(workspace)
  mkdirSync(join(workspace, PACKAGES_FOLDER, 'node_modules'), { recursive: true })
  writeFileSync(join(workspace, PACKAGES_FOLDER, 'node_modules', 'a.js'), key)
  const skill = { key: 'personal:jam', name: 'jam', treeDigest: 'sha256:0' }
  const plan = { workspace, skill, prepares: { key, kind: 'node', packages: ['a'] } } as unknown as RunPlan
  await environments.keep(plan, 'chat')
  return workspace
}

test('packages that nobody used for 90 days go at a start, on record, and used ones stay', async () => {
  const [idle, used] = [await prepared('a'.repeat(64)), await prepared('b'.repeat(64))]
  day = 80
  environments.used((await environments.find('b'.repeat(64)))!)
  day = 91
  await environments.sweep(false)
  expect([existsSync(idle), existsSync(used)]).toEqual([false, true])
  expect(environments.list()).toHaveLength(1)
  expect(said.at(-1)).toBe('app environment.removed')
})

test('packages of which one byte changed are not found any more', async () => {
  const folder = await prepared('a'.repeat(64))
  writeFileSync(join(folder, PACKAGES_FOLDER, 'node_modules', 'a.js'), 'other')
  expect(await environments.find('a'.repeat(64))).toBeNull()
  expect(environments.isKnown('a'.repeat(64))).toBe(true)
})

test('what a preparation left that did not end is never found, and goes at the next start', async () => {
  const key = 'a'.repeat(64)
  const folder = environments.folderFor(key, 'call')
  await environments.begin(folder)
  mkdirSync(join(folder, PACKAGES_FOLDER, 'node_modules'), { recursive: true })
  writeFileSync(join(folder, PACKAGES_FOLDER, 'node_modules', 'half.js'), '')
  // As after a kill: another program opens the same data.
  const next = createEnvironments({ db, dataDir: home, audit: () => undefined, now: () => 0 })
  expect([await next.find(key), next.isKnown(key), next.list()]).toEqual([null, false, []])
  await next.sweep(true)
  expect(existsSync(folder)).toBe(false)
})

test('a second try under the key of one that was broken off begins empty', async () => {
  const key = 'a'.repeat(64)
  const folder = environments.folderFor(key, 'call')
  await environments.begin(folder)
  writeFileSync(join(folder, 'half'), '')
  await environments.begin(folder)
  expect(existsSync(join(folder, 'half'))).toBe(false)
})

test('nothing outside of its own folder is removed', async () => {
  const outside = join(home, 'outside')
  mkdirSync(outside)
  await expect(environments.discard(outside)).rejects.toMatchObject({ code: 'path_escape' })
  await expect(environments.discard(join(home, 'environments', '..', 'outside'))).rejects.toThrow()
  expect(existsSync(outside)).toBe(true)
})
