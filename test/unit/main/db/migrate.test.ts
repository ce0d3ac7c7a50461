import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listMessages } from '../../../../src/main/db/message-rows'
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
