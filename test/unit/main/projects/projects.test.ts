import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '@shared/errors'
import { createAudit } from '../../../../src/main/audit/audit'
import { queryAudit } from '../../../../src/main/db/audit-rows'
import { openDb, type Db } from '../../../../src/main/db/open'
import { createProjects, type Projects } from '../../../../src/main/projects/projects'

let root: string
let db: Db
let projects: Projects
let changes: number
let time: number

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-projects-')))
  for (const dir of ['home/mara/kitchen', 'home/data/workspaces/x', 'homes']) {
    mkdirSync(join(root, dir), { recursive: true })
  }
  db = openDb(join(root, 'home/data/satchel.db'))
  changes = 0
  time = 1
  const now = () => time++
  projects = createProjects({
    db,
    audit: createAudit({ db, now }),
    homeDir: join(root, 'home'),
    dataDir: join(root, 'home/data'),
    skillsOf: () => 3,
    changed: async () => void (changes += 1),
    now,
  })
})
afterEach(() => {
  db.close()
  rmSync(root, { recursive: true })
})

const at = (path: string) => join(root, path)
const codeOf = (dir: string) =>
  projects.open(dir).then(
    () => 'opened',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

describe('opening a project', () => {
  test('gives its real folder, and it is not trusted', async () => {
    expect(await projects.open(at('home/mara/kitchen'))).toMatchObject({
      dir: at('home/mara/kitchen'),
      name: 'kitchen',
      trusted: false,
      exists: true,
      skills: 3,
    })
    expect(changes).toBe(1)
  })

  test.each(['home/mara/kitchen/', 'home/mara/../mara/kitchen', 'home/mara/./kitchen', 'link'])(
    'knows %s as the same folder',
    async (path) => {
      symlinkSync(at('home/mara/kitchen'), at('link'))
      await projects.open(at('home/mara/kitchen'))
      projects.trust(at('home/mara/kitchen'), true)
      expect(await projects.open(`${root}/${path}`)).toMatchObject({
        dir: at('home/mara/kitchen'),
        trusted: true,
      })
      expect(projects.list()).toHaveLength(1)
    },
  )

  test.each([
    ['a folder that is not there', 'home/none', 'not_found'],
    ['a file', 'home/file', 'bad_input'],
    ['the home folder', 'home', 'bad_input'],
    ['a folder that holds the home folder', '', 'bad_input'],
    ["the app's own data", 'home/data', 'bad_input'],
    ["a folder inside the app's own data", 'home/data/workspaces', 'bad_input'],
    ['the personal skills', 'home/.satchel/skills', 'bad_input'],
    ['a folder of skills shared with other tools', 'home/.agents', 'bad_input'],
    ['a link to the home folder', 'link', 'bad_input'],
    ['a folder whose name only begins like the home folder', 'homes', 'opened'],
  ])('%s: %s gives %s', async (_what, path, code) => {
    writeFileSync(at('home/file'), '')
    mkdirSync(at('home/.satchel/skills'), { recursive: true })
    mkdirSync(at('home/.agents'))
    symlinkSync(at('home'), at('link'))
    expect(await codeOf(at(path))).toBe(code)
  })

  test('the whole disk is refused', async () => {
    expect(await codeOf('/')).toBe('bad_input')
  })

  test('the one opened last comes first', async () => {
    await projects.open(at('homes'))
    await projects.open(at('home/mara'))
    await projects.open(at('homes'))
    expect(projects.list().map(({ name }) => name)).toEqual(['homes', 'mara'])
  })

  test('a folder that was deleted stays in the list and says so', async () => {
    await projects.open(at('homes'))
    rmSync(at('homes'), { recursive: true })
    expect(projects.list()).toMatchObject([{ exists: false }])
    writeFileSync(at('homes'), 'a file now')
    expect(projects.list()).toMatchObject([{ exists: false }])
  })
})

describe('trusting a project', () => {
  test('counts at once, is on record, and can be taken back', async () => {
    const { dir } = await projects.open(at('homes'))
    expect(projects.trust(dir, true).trusted).toBe(true)
    expect(projects.isTrusted(dir)).toBe(true)
    projects.trust(dir, false)
    expect(projects.isTrusted(dir)).toBe(false)
    expect(queryAudit(db.sql, { limit: 5 }).map(({ action, target }) => [action, target])).toEqual([
      ['project.untrusted', dir],
      ['project.trusted', dir],
    ])
  })

  test('of a folder that nobody opened is refused', () => {
    expect(() => projects.trust(at('homes'), true)).toThrow('not open')
    expect(projects.isTrusted(at('homes'))).toBe(false)
  })

  test('says nothing about the folders in it or around it', async () => {
    const { dir } = await projects.open(at('home/mara'))
    projects.trust(dir, true)
    await projects.open(at('home/mara/kitchen'))
    expect(projects.isTrusted(at('home/mara/kitchen'))).toBe(false)
  })
})
