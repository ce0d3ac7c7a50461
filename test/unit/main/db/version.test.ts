import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openOrStartFresh } from '../../../../src/main/db/damage'
import { openForLook } from '../../../../src/main/db/look'
import { SCHEMA_VERSION } from '../../../../src/main/db/migrate'
import { openDb } from '../../../../src/main/db/open'
import { refuseNewer, storedVersion } from '../../../../src/main/db/version'

let dir: string
let file: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-version-'))
  file = join(dir, 'data', 'satchel.db')
  mkdirSync(join(dir, 'data'))
})
afterEach(() => rmSync(dir, { recursive: true }))

/** Names, bytes and times of the folder, itself included. */
function stateOf(folder: string): unknown {
  const names = readdirSync(folder).toSorted()
  const files = names.map((name) => {
    const { mtimeMs, ctimeMs, size } = statSync(join(folder, name))
    return { name, mtimeMs, ctimeMs, size, bytes: readFileSync(join(folder, name), 'latin1') }
  })
  return { files, mtimeMs: statSync(folder).mtimeMs }
}

/** A newer Satchel that ended well: everything is in the file. */
function writeNewer(): void {
  openDb(file).close()
  const sql = new Database(file)
  sql.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
  sql.close()
}

/** A newer Satchel that was killed: the new version is only in the log. */
async function writeNewerAndDie(then = ''): Promise<void> {
  openDb(file).close()
  const script = `const d = new (require('better-sqlite3'))(process.argv[1]); d.pragma('journal_mode=WAL');
    d.pragma('wal_autocheckpoint=0');
    d.exec("INSERT INTO settings VALUES ('before', '1')");
    d.pragma('user_version=${SCHEMA_VERSION + 1}');
    d.exec("INSERT INTO settings VALUES ('after', '1')");
    ${then}
    process.kill(process.pid, 'SIGKILL')`
  const child = spawn(process.execPath, ['-e', script, file], { stdio: 'inherit' })
  await once(child, 'exit')
}

const openers: [string, () => unknown][] = [
  ['openDb', () => openDb(file)],
  ['openOrStartFresh', () => openOrStartFresh(file, () => 1)],
  ['openForLook', () => openForLook(file)],
]

describe('data of a newer version', () => {
  test.each(openers)('is refused by %s, and no byte and no time of the folder changes', (_name, open) => {
    writeNewer()
    const before = stateOf(join(dir, 'data'))
    expect(open).toThrow('newer Satchel')
    expect(stateOf(join(dir, 'data'))).toEqual(before)
  })

  test.each(openers)('that was killed is refused by %s, its log unchanged', async (_name, open) => {
    await writeNewerAndDie()
    expect(readFileSync(file).readUInt32BE(60)).toBe(SCHEMA_VERSION)
    const before = stateOf(join(dir, 'data'))
    expect(open).toThrow('newer Satchel')
    expect(stateOf(join(dir, 'data'))).toEqual(before)
  })
})

describe('storedVersion', () => {
  test('of data of this version is this version', () => {
    openDb(file).close()
    expect(storedVersion(file)).toBe(SCHEMA_VERSION)
    expect(() => refuseNewer(file, SCHEMA_VERSION)).not.toThrow()
  })

  test('counts what a program that is running has only in its log', () => {
    const db = openDb(file)
    db.sql.pragma(`user_version = ${SCHEMA_VERSION + 3}`)
    expect(storedVersion(file)).toBe(SCHEMA_VERSION + 3)
    db.close()
  })

  test('does not count a step that was never committed', async () => {
    openDb(file).close()
    const script = `const d = new (require('better-sqlite3'))(process.argv[1]); d.pragma('cache_size=1');
      d.exec('BEGIN IMMEDIATE'); d.pragma('user_version=77');
      for (let n = 0; n < 3000; n++) d.prepare('INSERT INTO settings VALUES (?, ?)').run('k' + n, 'x'.repeat(2000));
      process.kill(process.pid, 'SIGKILL')`
    await once(spawn(process.execPath, ['-e', script, file], { stdio: 'inherit' }), 'exit')
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(100_000)
    expect(storedVersion(file)).toBe(SCHEMA_VERSION)
  })

  test('is what SQLite reads, wherever a crash tore the log', async () => {
    await writeNewerAndDie()
    const whole = statSync(`${file}-wal`).size
    const seen = new Set<number>()
    for (let size = 0; size <= whole; size += 517) {
      const copy = join(dir, 'copy.db')
      copyFileSync(file, copy)
      copyFileSync(`${file}-wal`, `${copy}-wal`)
      truncateSync(`${copy}-wal`, size)
      const found = storedVersion(copy)
      const sql = new Database(copy)
      expect({ size, found }).toEqual({ size, found: sql.pragma('user_version', { simple: true }) })
      sql.close()
      seen.add(found)
      rmSync(`${copy}-wal`, { force: true })
    }
    expect(seen).toEqual(new Set([SCHEMA_VERSION, SCHEMA_VERSION + 1]))
  })

  test.each([
    ['a missing file', () => undefined],
    ['no database', () => writeFileSync(file, 'not a database, whatever its name says'.repeat(9))],
    ['an empty file', () => writeFileSync(file, '')],
    ['a folder', () => mkdirSync(file)],
    ['junk for a log', () => writeFileSync(`${file}-wal`, 'x'.repeat(9999))],
  ])('of %s is 0', (_name, make) => {
    make()
    expect(storedVersion(file)).toBe(0)
  })
})
