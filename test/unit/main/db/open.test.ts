import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../../../../src/main/db/migrate'
import { openDb } from '../../../../src/main/db/open'

let dir: string
let file: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-db-'))
  file = join(dir, 'deep', 'folder', 'satchel.db')
})
afterEach(() => rmSync(dir, { recursive: true }))

describe('openDb', () => {
  test('makes the folder that does not exist yet', () => {
    const db = openDb(file)
    expect(db.sql.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION)
    db.close()
  })

  test('opens what it wrote again', () => {
    openDb(file).close()
    const db = openDb(file)
    expect(db.sql.prepare('SELECT count(*) AS n FROM sessions').get()).toEqual({ n: 0 })
    db.close()
  })

  test('refuses data of a newer version and changes nothing', () => {
    openDb(file).close()
    const raw = new Database(file)
    raw.pragma('user_version = 99')
    raw.close()
    expect(() => openDb(file)).toThrow('newer Satchel')
    const again = new Database(file, { readonly: true })
    expect(again.pragma('user_version', { simple: true })).toBe(99)
    again.close()
    expect(readdirSync(join(dir, 'deep', 'folder')).filter((name) => name.includes('before'))).toEqual([])
  })

  test('says so when the file is no database', () => {
    writeFileSync(join(dir, 'junk.db'), 'this is not a database, not at all, whatever its name says')
    expect(() => openDb(join(dir, 'junk.db'))).toThrow()
  })

  test('an approval that does not exist can not be given to a run', () => {
    const db = openDb(file)
    const insert = `INSERT INTO runs (id, request_id, session_id, call_id, skill_name, script, tree_digest, plan_hash,
      argv, cwd, status, backend, capabilities, started_at)
      VALUES ('r', @request, 's', 'c', 'n', 'p', 't', 'h', '[]', '/', 'running', 'bwrap', '{}', 1)`
    expect(() => db.sql.prepare(insert).run({ request: 'none' })).toThrow('FOREIGN KEY')
    expect(() => db.sql.prepare(insert).run({ request: null })).toThrow('NOT NULL')
    db.close()
  })

  test('synchronous is FULL inside a durable transaction and NORMAL after it, also when it fails', () => {
    const db = openDb(file)
    const level = () => db.sql.pragma('synchronous', { simple: true })
    expect(db.durable(level)).toBe(2)
    expect(() =>
      db.durable(() => {
        throw new Error('x')
      }),
    ).toThrow('x')
    expect(level()).toBe(1)
    db.close()
  })

  test('what goes to the disk beside the work is committed at once, and waits for nothing', () => {
    const db = openDb(file)
    const put = db.sql.prepare("INSERT INTO settings (key, value) VALUES (?, '1')")
    const level = db.soon(() => {
      put.run('a')
      return db.sql.pragma('synchronous', { simple: true })
    })
    expect(level).toBe(1)
    const other = new Database(file, { readonly: true })
    expect(other.prepare('SELECT count(*) AS n FROM settings').get()).toEqual({ n: 1 })
    other.close()
    for (let n = 0; n < 20; n += 1) db.soon(() => put.run(String(n)))
    // Also while the disk is at work.
    db.close()
    const again = openDb(file)
    expect(again.sql.prepare('SELECT count(*) AS n FROM settings').get()).toEqual({ n: 21 })
    again.close()
  })

  test('what was committed is there after kill -9', async () => {
    openDb(file).close()
    const script = `const D = require('better-sqlite3'); const d = new D(process.argv[1]); d.pragma('journal_mode=WAL');
      const i = d.prepare("INSERT INTO settings (key, value) VALUES (?, '1')");
      for (let n = 0; ; n++) { i.run('k' + n); require('fs').writeSync(1, n + '\\n') }`
    const child = spawn(process.execPath, ['-e', script, file], { cwd: process.cwd() })
    let printed = ''
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (data: Buffer) => {
        printed += data.toString()
        if (printed.length > 2000) child.kill('SIGKILL')
      })
      child.on('close', () => resolve())
    })
    const last = Number(printed.trim().split('\n').at(-1))
    const db = openDb(file)
    expect(db.sql.pragma('integrity_check', { simple: true })).toBe('ok')
    expect((db.sql.prepare('SELECT count(*) AS n FROM settings').get() as { n: number }).n).toBeGreaterThan(
      last - 1,
    )
    db.close()
  })
})
