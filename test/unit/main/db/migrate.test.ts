import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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

  test('refuses a version that it does not know', () => {
    sql.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
    expect(() => migrate(sql, file)).toThrow('newer Satchel')
    expect(tables()).toEqual({ n: 0 })
  })
})
