import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAudit } from '../../../../src/main/audit/audit'
import { openDb, type Db } from '../../../../src/main/db/open'
import { skillUse } from '../../../../src/main/db/skill-use-query'

const DAY = 86_400_000
const NOW = 100 * DAY
let dir: string
let db: Db
let at: number

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-use-'))
  db = openDb(join(dir, 'satchel.db'))
  // The runs stand alone here: their requests are not what is asked for.
  db.sql.pragma('foreign_keys = OFF')
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true })
})

function load(key: string, when: number): void {
  at = when
  createAudit({ db, now: () => at }).append({
    actor: 'agent',
    action: 'skill.loaded',
    sessionId: null,
    target: 'pdf',
    data: { key },
  })
}

let runs = 0

function run(key: string | null, when: number): void {
  const id = `run_${(runs += 1)}`
  db.sql
    .prepare(
      `INSERT INTO runs (id, request_id, session_id, call_id, skill_key, skill_name, script, tree_digest, plan_hash,
         argv, cwd, status, backend, capabilities, started_at)
       VALUES (@id, @id, 's', 'c', @key, 'pdf', 'a.sh', '', '', '[]', '/', 'done', 'none', '{}', @when)`,
    )
    .run({ id, key, when })
  at = when
  createAudit({ db, now: () => at }).append({
    actor: 'agent',
    action: 'run.started',
    sessionId: null,
    target: 'pdf/a.sh',
    data: { runId: id },
  })
}

test('nothing was used where the record is empty', () => {
  expect(skillUse(db.sql, NOW)).toEqual([])
})

test('loads count ever, runs only in the last 30 days, the newest at the end', () => {
  load('personal:/pdf', 1)
  load('personal:/pdf', NOW)
  run('personal:/pdf', NOW - 31 * DAY)
  run('personal:/pdf', NOW - 30 * DAY + 1)
  run('personal:/pdf', NOW - DAY)
  run('personal:/pdf', NOW)
  expect(skillUse(db.sql, NOW)).toEqual([
    { key: 'personal:/pdf', loads: 2, runs: [1, 0, 0, 0, 0, 0, 0, 0, 0, 2] },
  ])
})

test('a run at this very moment is one of the last part', () => {
  run('k', NOW - 1)
  expect(skillUse(db.sql, NOW)[0]?.runs.at(-1)).toBe(1)
})

test('each copy has its own numbers, and commands of no skill have none', () => {
  run('personal:/pdf', NOW - DAY)
  run('project:/pdf', NOW - DAY)
  run('project:/pdf', NOW - DAY)
  run(null, NOW - DAY)
  const total = (key: string) =>
    skillUse(db.sql, NOW)
      .find((use) => use.key === key)
      ?.runs.reduce((sum, count) => sum + count, 0)
  expect([total('personal:/pdf'), total('project:/pdf')]).toEqual([1, 2])
  expect(skillUse(db.sql, NOW)).toHaveLength(2)
})
