import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { changedKeys, chatStamps, createChanges, type Marks } from '../../../../src/main/db/changes'
import { openDb, type Db } from '../../../../src/main/db/open'

let dir: string
let own: Db
let other: Db
let told: { before: Marks; after: Marks }[]
let looks: number

beforeEach(() => {
  vi.useFakeTimers()
  dir = mkdtempSync(join(tmpdir(), 'satchel-changes-'))
  own = openDb(join(dir, 'satchel.db'))
  other = openDb(join(dir, 'satchel.db'))
  other.sql.exec(`INSERT INTO sessions (id, title, model, state, created_at, updated_at)
    VALUES ('s', 'Jam', 'practice/scripted', 'idle', 1, 1)`)
  other.sql.exec(`INSERT INTO messages (id, session_id, seq, role, status, parts, created_at)
    VALUES ('m', 's', 1, 'assistant', 'streaming', '[]', 1)`)
  told = []
  looks = 0
})
afterEach(() => {
  vi.useRealTimers()
  own.close()
  other.close()
  rmSync(dir, { recursive: true })
})

const changes = () =>
  createChanges({
    sql: own.sql,
    onChange: (before, after) => void told.push({ before, after }),
    onLook: () => void (looks += 1),
  })

/** Names of the marks that differ. */
function differing({ before, after }: { before: Marks; after: Marks }): string[] {
  return (Object.keys(before) as (keyof Marks)[]).filter((key) => {
    const [one, two] = [before[key], after[key]]
    if (typeof one === 'string' || typeof two === 'string') return one !== two
    return changedKeys(one, two).length > 0
  })
}

describe('what another connection writes', () => {
  const REQUEST = `INSERT INTO requests (id, session_id, call_id, revision, plan, plan_hash, findings, ask_reason,
      review_required, status, agent_name, last_user_message, created_at)
    VALUES ('q', 's', 'c', 1, '{}', 'h', '[]', '', 0, 'pending', '', '', 1)`
  const RUN = `INSERT INTO runs (id, request_id, session_id, call_id, skill_name, script, tree_digest, plan_hash, argv,
      cwd, status, backend, capabilities, started_at)
    VALUES ('r', 'q', 's', 'c', 'n', 'p', 't', 'h', '[]', '/', 'running', 'bwrap', '{}', 1)`

  test.each<[string, string, string[]]>([
    ['a title', `UPDATE sessions SET title = 'Marmalade'`, ['sessions']],
    ['a state', `UPDATE sessions SET state = 'running'`, ['sessions']],
    ['a chat that is gone', 'DELETE FROM sessions', ['sessions']],
    ['an owner of a chat', `INSERT INTO chat_owners VALUES ('s', 'o', 'command', 1, 1, 1)`, ['sessions']],
    ['a project', `INSERT INTO projects VALUES ('/p', 'p', 0, 1)`, ['projects']],
    ['a setting', `INSERT INTO settings VALUES ('settings', '{}')`, ['settings']],
    ['a skill turned off', `INSERT INTO skill_switches (name) VALUES ('jam')`, ['choices']],
    ['a copy chosen', `INSERT INTO skill_pins VALUES ('/p', 'jam', 'k')`, ['choices']],
    ['a request', REQUEST, ['requests']],
    ['a run', `${REQUEST}; ${RUN}`, ['requests', 'runs']],
    ['the place of its window', `INSERT INTO settings VALUES ('window', '{}')`, []],
    ['a draft', `UPDATE sessions SET draft = 'typed'`, []],
  ])('is told once, by kind: %s', (_name, sql, kinds) => {
    const stop = changes().follow()
    other.sql.exec(sql)
    vi.advanceTimersByTime(500)
    expect(told.map(differing)).toEqual([kinds])
    vi.advanceTimersByTime(5000)
    expect(told).toHaveLength(1)
    stop()
  })

  test('while nobody followed is told at once when somebody does', () => {
    const watched = changes()
    other.sql.exec(`UPDATE sessions SET title = 'Marmalade'`)
    vi.advanceTimersByTime(5000)
    expect([told, looks]).toEqual([[], 0])
    watched.follow()()
    expect(told).toHaveLength(1)
  })
})

describe('what this program told by itself', () => {
  test('is no change for itself, and what others then change is', () => {
    const watched = changes()
    const stop = watched.follow()
    own.sql.exec(`UPDATE sessions SET title = 'Marmalade'`)
    watched.doubt('sessions')
    vi.advanceTimersByTime(500)
    expect(told).toEqual([])
    other.sql.exec(`INSERT INTO settings VALUES ('settings', '{}')`)
    vi.advanceTimersByTime(500)
    expect(told.map(differing)).toEqual([['settings']])
    stop()
  })

  test('and another took back before the next look is told', () => {
    const watched = changes()
    const stop = watched.follow()
    own.sql.exec(`UPDATE sessions SET title = 'Marmalade'`)
    watched.doubt('sessions')
    other.sql.exec(`UPDATE sessions SET title = 'Jam'`)
    vi.advanceTimersByTime(500)
    expect(told.map(differing)).toEqual([['sessions']])
    stop()
  })

  test('of a request that another closed before the next look is told', () => {
    const watched = changes()
    const stop = watched.follow()
    watched.doubt('requests', 's')
    other.sql.exec(`UPDATE sessions SET draft = 'x'`)
    vi.advanceTimersByTime(500)
    expect(changedKeys(told[0]!.before.requests, told[0]!.after.requests)).toEqual(['s'])
    stop()
  })
})

test('what this connection writes by itself is not told', () => {
  const stop = changes().follow()
  own.sql.exec(`UPDATE sessions SET title = 'Marmalade'`)
  vi.advanceTimersByTime(5000)
  expect(told).toEqual([])
  stop()
})

test('two that follow cost one look, and the last that stops ends it', () => {
  const watched = changes()
  const [one, two] = [watched.follow(), watched.follow()]
  vi.advanceTimersByTime(500)
  expect(looks).toBe(2)
  one()
  one()
  vi.advanceTimersByTime(500)
  expect(looks).toBe(3)
  two()
  vi.advanceTimersByTime(5000)
  expect(looks).toBe(3)
  expect(vi.getTimerCount()).toBe(0)
})

describe('chatStamps', () => {
  test.each([
    ['s', `UPDATE sessions SET state = 'running'`],
    ['m', `UPDATE messages SET parts = '[1]'`],
    ['m', `UPDATE messages SET status = 'done'`],
    [
      'c',
      `INSERT INTO calls (id, session_id, message_id, provider_call_id, step, name, input, state)
       VALUES ('c', 's', 'm', 'p', 1, 'n', '{}', 'ready')`,
    ],
  ])('the stamp of row %s, and no other, differs after %s', (id, sql) => {
    const before = chatStamps(own.sql, 's')
    other.sql.exec(sql)
    expect(changedKeys(before, chatStamps(own.sql, 's'))).toEqual([id])
  })
})

test('data that was closed is looked at no more, also where somebody still follows', () => {
  changes().follow()
  const before = looks
  own.close()
  vi.advanceTimersByTime(10_000)
  expect([looks, vi.getTimerCount()]).toEqual([before, 0])
})
