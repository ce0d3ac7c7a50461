import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDb } from '../../../src/main/db/open'
import { testWorld } from './cli-world'

test('a skill is renamed, deleted and restored by name', async () => {
  const { home, json, run, skill } = testWorld()
  const dir = skill('home/.satchel/skills/pdf', { name: 'pdf' })
  const renamed = await json('skills', 'rename', 'pdf', 'scans')
  expect(renamed.result).toMatchObject({
    kind: 'rename',
    name: 'scans',
    path: join(home, '.satchel/skills/scans'),
    effects: ['Everywhere: pdf is no longer available.', 'Everywhere: scans becomes available.'],
  })
  expect(readFileSync(join(home, '.satchel/skills/scans/SKILL.md'), 'utf8')).toContain('name: scans\n')
  expect(existsSync(dir)).toBe(false)
  expect((await run('skills', 'delete', 'scans')).out).toContain('Deleted scans.\n')
  expect(existsSync(join(home, '.satchel/skills/scans'))).toBe(false)
  expect((await json('skills', 'trash')).result).toMatchObject([{ name: 'scans' }])
  expect((await run('skills', 'restore', 'scans')).exit).toBe(0)
  expect(existsSync(join(home, '.satchel/skills/scans/SKILL.md'))).toBe(true)
})

test('a bundled skill is copied, but not moved or deleted', async () => {
  const { home, run } = testWorld()
  const refused = await run('skills', 'delete', 'json-tidy')
  expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining('What comes with Satchel')])
  expect((await run('skills', 'move', 'json-tidy')).exit).toBe(1)
  expect((await run('skills', 'copy', 'json-tidy')).out).toContain('is used instead of the Bundled copy')
  expect(existsSync(join(home, '.satchel/skills/json-tidy/SKILL.md'))).toBe(true)
})

test('nothing is moved into a project that is not trusted, nor out of it', async () => {
  const { cwd, run, skill } = testWorld()
  mkdirSync(join(cwd, '.git'))
  skill('cwd/.satchel/skills/theirs', { name: 'theirs' })
  skill('home/.satchel/skills/mine', { name: 'mine' })
  const into = await run('skills', 'move', 'mine', '--to', 'project')
  expect([into.exit, into.err]).toEqual([1, expect.stringContaining('not trusted')])
  const out = await run('skills', 'copy', 'theirs')
  expect([out.exit, out.err]).toEqual([1, expect.stringContaining('not trusted')])
})

test('what the command does is on the record of the app, where there is one', async () => {
  const { home, run, skill } = testWorld({ env: {} })
  const dataDir = join(home, '.config', 'Satchel')
  mkdirSync(dataDir, { recursive: true })
  openDb(join(dataDir, 'satchel.db')).close()
  skill('home/.satchel/skills/pdf', { name: 'pdf' })
  await run('skills', 'duplicate', 'pdf', 'pdf-two')
  const db = openDb(join(dataDir, 'satchel.db'))
  const rows = db.sql.prepare('SELECT action, target FROM audit').all()
  db.close()
  expect(rows).toEqual([{ action: 'skill.copied', target: 'pdf-two' }])
})
