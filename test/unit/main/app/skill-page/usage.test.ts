import { describe, expect, it } from 'vitest'
import type { Db } from '../../../../../src/main/db/open'
import { skillUsage } from '../../../../../src/main/app/skill-page/usage'
import { openTestDb, tempDir } from '../../skills/support'

const KEY = 'personal:/home/x/.satchel/skills/pdf'
const DAY = 86_400_000

/** Rows as the app writes them, as far as usage reads them. */
function record(db: Db) {
  const { sql } = db
  const chat = sql.prepare(
    `INSERT INTO sessions (id, title, model, state, active_skills, created_at, updated_at)
     VALUES (?, ?, 'm', 'idle', ?, 0, 0)`,
  )
  const entry = sql.prepare(
    `INSERT INTO audit (seq, at, actor, action, session_id, target, data, prev_hash, hash)
     VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM audit), ?, 'agent', ?, ?, 'pdf', ?, '', '')`,
  )
  const request = sql.prepare(
    `INSERT INTO requests (id, session_id, call_id, revision, skill_key, script_path, plan, plan_hash, findings,
       ask_reason, review_required, status, agent_name, last_user_message, created_at, decided_at)
     VALUES (?, ?, ?, 1, ?, 'scripts/a.sh', ?, '', '[]', '', 0, ?, '', '', ?, ?)`,
  )
  const run = sql.prepare(
    `INSERT INTO runs (id, request_id, session_id, call_id, skill_key, skill_name, script, tree_digest, plan_hash, argv,
       cwd, status, backend, capabilities, exit_code, started_at)
     VALUES (?, ?, ?, '', ?, 'pdf', 'scripts/a.sh', 'd', '', '[]', '', ?, 'none', '{}', ?, ?)`,
  )
  let n = 0
  return {
    chat: (id: string, active: string[] = []) =>
      chat.run(id, `Chat ${id}`, JSON.stringify(active.map((key) => ({ key })))),
    load: (at: number, sessionId: string, tokens?: number, key = KEY) =>
      entry.run(at, 'skill.loaded', sessionId, JSON.stringify({ key, step: 3, tokens })),
    note: (at: number, action: string) => entry.run(at, action, null, JSON.stringify({ key: KEY })),
    asked(at: number, status: string, key = KEY) {
      const id = `r${++n}`
      request.run(id, 'a', `c${n}`, key, '{}', status, at, at)
      return id
    },
    ran(at: number, sessionId: string, status = 'succeeded', key = KEY) {
      const id = this.asked(at, 'approved', key)
      run.run(`run-${id}`, id, sessionId, key, status, status === 'succeeded' ? 0 : 1, at)
    },
  }
}

function setup() {
  const db = openTestDb(tempDir())
  return { db, rows: record(db) }
}

describe('usage of a copy', () => {
  it('counts its loads, runs, refusals and chats, and nothing of another copy', () => {
    const { db, rows } = setup()
    rows.load(100, 'a')
    rows.load(200, 'b')
    rows.ran(300, 'b')
    rows.ran(400, 'c', 'failed')
    rows.ran(500, 'c', 'running')
    rows.asked(600, 'denied')
    rows.asked(700, 'auto_denied')
    rows.note(800, 'skill.edited')
    rows.load(900, 'd', 1, 'project:/elsewhere')
    rows.ran(950, 'd', 'succeeded', 'project:/elsewhere')
    expect(skillUsage(db.sql, KEY, 1000)).toMatchObject({
      loads: 2,
      runs: 3,
      succeeded: 1,
      failed: 1,
      denied: 2,
      chats: 3,
      lastUsedAt: 500,
    })
  })

  it('is nothing at all for one that was never used', () => {
    const { db } = setup()
    expect(skillUsage(db.sql, KEY, 1000)).toEqual({
      loads: 0,
      runs: 0,
      succeeded: 0,
      failed: 0,
      denied: 0,
      chats: 0,
      lastUsedAt: null,
      medianTokens: null,
      unusedFor: null,
      last: [],
      activeIn: [],
    })
  })

  it('takes the median of the loads whose tokens were noted', () => {
    const { db, rows } = setup()
    for (const [at, tokens] of [900, undefined, 100, 300].entries()) rows.load(at, 'a', tokens)
    expect(skillUsage(db.sql, KEY, 1000).medianTokens).toBe(300)
  })

  it('lists the last ten uses, the newest first, with their chats as far as they are there', () => {
    const { db, rows } = setup()
    rows.chat('a')
    for (let at = 1; at <= 8; at++) rows.load(at * 10, 'a')
    for (let at = 1; at <= 8; at++) rows.ran(at * 10 + 5, 'gone')
    const { last } = skillUsage(db.sql, KEY, 1000)
    expect(last.map(({ at }) => at)).toEqual([85, 80, 75, 70, 65, 60, 55, 50, 45, 40])
    expect(last[0]).toMatchObject({ kind: 'run', title: null, script: 'scripts/a.sh', exitCode: 0 })
    expect(last[1]).toMatchObject({ kind: 'load', title: 'Chat a', step: 3, script: null })
  })

  it('names the chats in which it is active now', () => {
    const { db, rows } = setup()
    rows.chat('a', ['project:/elsewhere', KEY])
    rows.chat('b', ['project:/elsewhere'])
    expect(skillUsage(db.sql, KEY, 1000).activeIn).toEqual([{ id: 'a', title: 'Chat a' }])
  })

  it.each([
    ['used 91 days ago', (rows: ReturnType<typeof record>) => rows.load(0, 'a'), 91 * DAY, 90],
    ['used 90 days ago', (rows: ReturnType<typeof record>) => rows.load(0, 'a'), 90 * DAY, null],
    [
      'never, in a record of 91 days',
      (rows: ReturnType<typeof record>) => rows.note(0, 'skill.edited'),
      91 * DAY,
      90,
    ],
    [
      'never, in a record of a day',
      (rows: ReturnType<typeof record>) => rows.note(0, 'skill.edited'),
      DAY,
      null,
    ],
  ])('says when it is unused: %s', (_what, write, now, expected) => {
    const { db, rows } = setup()
    write(rows)
    expect(skillUsage(db.sql, KEY, now).unusedFor).toBe(expected)
  })

  it('reads 10,000 entries and runs of a copy through its indexes alone', () => {
    const { db, rows } = setup()
    const seen: string[] = []
    const { sql } = db
    db.tx(() => {
      for (let at = 0; at < 5000; at++) {
        rows.load(at, `chat-${at % 50}`, at)
        rows.ran(at, `chat-${at % 50}`)
      }
    })
    const prepare = sql.prepare.bind(sql)
    const spied = new Proxy(sql, {
      get: (target, name) =>
        name === 'prepare'
          ? (text: string) => (seen.push(text), prepare(text))
          : (Reflect.get(target, name) as unknown),
    })
    expect(skillUsage(spied, KEY, 1000)).toMatchObject({ loads: 5000, runs: 5000, chats: 50 })
    const plans = seen.flatMap((text) => {
      const values = text.includes('@key') ? [{ key: KEY }] : Array.from(text.match(/\?/g) ?? [], () => KEY)
      return prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[]
    })
    const scans = plans
      .map(({ detail }) => detail)
      .filter((detail) => /^SCAN (audit|runs|requests|calls)/.test(detail))
    expect(scans).toEqual([])
  })
})
