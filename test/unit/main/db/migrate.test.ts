import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listMessages } from '../../../../src/main/db/message-rows'
import { listUsage } from '../../../../src/main/db/usage-rows'
import { migrate, SCHEMA_VERSION } from '../../../../src/main/db/migrate'

let dir: string
let file: string
let sql: Database.Database

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-migrate-'))
  file = join(dir, 'satchel.db')
  sql = new Database(file)
})
afterEach(() => {
  sql.close()
  rmSync(dir, { recursive: true })
})

const version = () => sql.pragma('user_version', { simple: true })
const tables = () => sql.prepare(`SELECT count(*) AS n FROM sqlite_master WHERE type = 'table'`).get()

describe('migrate', () => {
  test('brings an empty database to the newest version, without a backup of nothing', () => {
    migrate(sql, file)
    expect(version()).toBe(SCHEMA_VERSION)
    expect(readdirSync(dir)).toEqual(['satchel.db'])
  })

  test('a second time changes nothing', () => {
    migrate(sql, file)
    const before = tables()
    migrate(sql, file)
    expect(tables()).toEqual(before)
    expect(readdirSync(dir)).toEqual(['satchel.db'])
  })

  test('a step that fails leaves neither half of it nor a new version', () => {
    sql.exec('CREATE TABLE messages (mine TEXT)')
    expect(() => migrate(sql, file)).toThrow('messages')
    expect(version()).toBe(0)
    expect(tables()).toEqual({ n: 1 })
  })

  test('what was spent before is kept, of answers and of summaries that were refused', () => {
    const folder = 'src/main/db/migrations'
    for (const name of readdirSync(folder).filter((name) => /^00[1236]-/.test(name))) {
      sql.exec(readFileSync(join(folder, name), 'utf8'))
    }
    sql.exec(readFileSync(join(folder, '007-model-calls.sql'), 'utf8'))
    sql.pragma('user_version = 5')
    sql.exec(`INSERT INTO sessions (id, title, model, state, created_at, updated_at)
      VALUES ('s', 'Chat', 'a/m', 'idle', 1, 1)`)
    const say =
      sql.prepare(`INSERT INTO messages (id, session_id, seq, role, status, parts, created_at, model, usage)
      VALUES (?, 's', ?, 'assistant', 'done', '[]', 7, 'a/m', ?)`)
    say.run('a', 1, '{"inputTokens":30,"outputTokens":4,"cacheReadTokens":20}')
    say.run('b', 2, null)
    say.run('c', 3, '{broken')
    const call =
      sql.prepare(`INSERT INTO model_calls (id, session_id, number, kind, message_id, model, blocks, tools,
        catalogue, kept, added, parts, meter, usage, outcome, started_at)
      VALUES (?, 's', ?, ?, ?, 'a/m', '[]', '', '', 0, '[]', '{}', 0, ?, 'failed', 8)`)
    call.run('of-a', 1, 'answer', 'a', '{"inputTokens":30,"outputTokens":4}')
    call.run('refused', 2, 'summary', 'none', '{"inputTokens":500,"outputTokens":6}')
    migrate(sql, file)
    sql.exec(`DELETE FROM sessions`)
    expect(listUsage(sql, { since: 7 })).toMatchObject([
      {
        model: 'a/m',
        calls: 2,
        estimated: 0,
        usage: { inputTokens: 530, outputTokens: 10, cacheReadTokens: 20 },
      },
    ])
  })

  test('a chat from before there were branches is one branch, whole and in its order', () => {
    const folder = 'src/main/db/migrations'
    for (const name of readdirSync(folder).filter((name) => /^00[123]-/.test(name))) {
      sql.exec(readFileSync(join(folder, name), 'utf8'))
    }
    sql.pragma('user_version = 3')
    sql.exec(`INSERT INTO sessions (id, title, model, state, created_at, updated_at)
      VALUES ('s', 'Chat', 'practice/scripted', 'idle', 1, 1)`)
    const insert = sql.prepare(`INSERT INTO messages (id, session_id, seq, role, status, parts, created_at)
      VALUES (?, 's', ?, 'user', ?, '[]', 1)`)
    for (const [id, seq, status] of [
      ['c', 4, 'done'],
      ['a', 1, 'done'],
      ['later', 3, 'queued'],
      ['b', 2, 'error'],
    ]) {
      insert.run(id, seq, status)
    }
    migrate(sql, file)
    expect(listMessages(sql, 's').map(({ id }) => id)).toEqual(['a', 'b', 'later', 'c'])
    expect(sql.prepare('SELECT id, parent_id FROM messages ORDER BY seq').raw().all()).toEqual([
      ['a', null],
      ['b', 'a'],
      ['later', null],
      ['c', 'b'],
    ])
  })

  test('refuses a version that it does not know', () => {
    sql.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
    expect(() => migrate(sql, file)).toThrow('newer Satchel')
    expect(tables()).toEqual({ n: 0 })
  })
})
