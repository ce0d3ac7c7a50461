import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openOrStartFresh } from '../../../../src/main/db/damage'
import { openDb } from '../../../../src/main/db/open'
import { mountOnItself, mountSmallDisk, setReadOnly, whyNoDisk } from '../../../helpers/small-disk'

const NOW = Date.UTC(2030, 0, 2, 3, 4, 5, 678)
const ASIDE = 'corrupt-2030-01-02T03-04-05.678Z'

let dir: string
let file: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-damage-'))
  file = join(dir, 'satchel.db')
})
afterEach(() => rmSync(dir, { recursive: true }))

const open = () => openOrStartFresh(file, () => NOW)

/** A sound database with enough rows to have inner pages. */
function writeSound(): void {
  const { sql, close } = openDb(file)
  const insert = sql.prepare('INSERT INTO settings (key, value) VALUES (?, ?)')
  for (let n = 0; n < 500; n += 1) insert.run(`key ${n}`, 'x'.repeat(200))
  close()
}

function expectSound(): void {
  const { db, movedTo } = open()
  const rows = db.sql.prepare('SELECT count(*) AS n FROM settings').get()
  db.close()
  expect({ movedTo, rows }).toEqual({ movedTo: null, rows: { n: 500 } })
}

function flip<T extends Uint8Array>(bytes: T, from: number, length: number): T {
  for (let at = from; at < from + length; at += 1) bytes[at] = bytes[at]! ^ 0xff
  return bytes
}

const damages: { name: string; damage: () => void }[] = [
  { name: 'is text', damage: () => writeFileSync(file, 'this is a diary, not a database. '.repeat(40)) },
  { name: 'lost its first page', damage: () => writeFileSync(file, flip(readFileSync(file), 0, 100)) },
  { name: 'was cut in the middle', damage: () => truncateSync(file, 4096 * 9 + 100) },
  {
    name: 'has pages that were overwritten',
    damage: () => {
      const bytes = readFileSync(file)
      for (const page of [5, 9, 30]) flip(bytes, 4096 * page, 4096)
      writeFileSync(file, bytes)
    },
  },
]

describe('a database that', () => {
  test.each(damages)('$name is kept byte by byte, and a new one takes its place', ({ damage }) => {
    writeSound()
    damage()
    const damaged = readFileSync(file)

    const { db, movedTo } = open()

    expect(movedTo).toBe(join(dir, ASIDE))
    expect(readFileSync(join(dir, ASIDE, 'satchel.db'))).toEqual(damaged)
    expect(db.sql.prepare('SELECT count(*) AS n FROM settings').get()).toEqual({ n: 0 })
    expect(db.sql.pragma('integrity_check', { simple: true })).toBe('ok')
    db.close()
  })

  test('is damaged a second time at the same moment goes into a folder of its own', () => {
    mkdirSync(join(dir, ASIDE))
    writeFileSync(join(dir, ASIDE, 'satchel.db'), 'the first one')
    writeFileSync(file, 'the second one, which is no database either')
    const { db, movedTo } = open()
    db.close()
    expect(movedTo).toBe(join(dir, `${ASIDE}-2`))
    expect(readFileSync(join(dir, ASIDE, 'satchel.db'), 'utf8')).toBe('the first one')
  })

  test('is damaged takes its log with it, unmerged', async () => {
    writeSound()
    await dieWithLog(file)
    const log = readFileSync(`${file}-wal`)
    expect(log.length).toBeGreaterThan(0)
    const damaged = flip(readFileSync(file), 4096 * 5, 4096 * 20)
    writeFileSync(file, damaged)

    const { db, movedTo } = open()
    db.close()

    expect(readFileSync(join(movedTo!, 'satchel.db'))).toEqual(damaged)
    expect(readFileSync(join(movedTo!, 'satchel.db-wal'))).toEqual(log)
  })

  test('was left by kill -9 with its log is sound: nothing is moved, no commit is lost', async () => {
    writeSound()
    await dieWithLog(file)
    const { db, movedTo } = open()
    expect(movedTo).toBeNull()
    expect(db.sql.prepare("SELECT value FROM settings WHERE key = 'last'").get()).toEqual({ value: '1' })
    db.close()
  })

  test('has the log of another database beside it still opens with all of its rows', () => {
    writeSound()
    const other = join(dir, 'other', 'satchel.db')
    openDb(other).close()
    const raw = new Database(other)
    raw.exec("INSERT INTO settings (key, value) VALUES ('other', '1')")
    copyFileSync(`${other}-wal`, `${file}-wal`)
    raw.close()
    const { db } = open()
    expect(db.sql.pragma('integrity_check', { simple: true })).toBe('ok')
    db.close()
  })

  test('is empty, as after a start that was ended at once, is simply begun', () => {
    writeFileSync(file, '')
    const { db, movedTo } = open()
    db.close()
    expect(movedTo).toBeNull()
    expect(readdirSync(dir).filter((name) => name.startsWith('corrupt'))).toEqual([])
  })

  test('is a folder is told as such and left alone', () => {
    mkdirSync(file)
    writeFileSync(join(file, 'note.txt'), 'mine')
    expect(open).toThrow(/is a folder.*Move the folder away, or name another data folder in SATCHEL_HOME/)
    expect(readFileSync(join(file, 'note.txt'), 'utf8')).toBe('mine')
  })

  test('was written by a newer Satchel is refused and not moved', () => {
    writeSound()
    const raw = new Database(file)
    raw.pragma('user_version = 99')
    raw.close()
    expect(open).toThrow('newer Satchel')
    const again = new Database(file, { readonly: true })
    expect(again.prepare('SELECT count(*) AS n FROM settings').get()).toEqual({ n: 500 })
    again.close()
    expect(readdirSync(dir).filter((name) => name.startsWith('corrupt'))).toEqual([])
  })

  test('another program holds is told as such', () => {
    writeSound()
    const other = new Database(file)
    other.pragma('journal_mode = DELETE')
    other.exec('BEGIN EXCLUSIVE')
    try {
      expect(open).toThrow(/Another program uses the database .*satchel\.db\. End it/)
    } finally {
      other.close()
    }
    expect(existsSync(file)).toBe(true)
  })

  test('is on a disk that may only be read is told as such, and opens when it may be written', (context) => {
    const reason = whyNoDisk()
    context.skip(reason !== null, reason ?? '')
    file = join(dir, 'disk', 'satchel.db')
    const disk = mountSmallDisk(dirname(file), { megabytes: 16 })
    try {
      writeSound()
      setReadOnly(disk.dir, true)
      expect(open).toThrow(/Satchel can't write its database .*satchel\.db\. Make the file and its folder/)
      setReadOnly(disk.dir, false)
      expectSound()
    } finally {
      disk.remove()
    }
  })

  test('may only be read itself is told as such at the start, not at the first message', (context) => {
    const reason = whyNoDisk()
    context.skip(reason !== null, reason ?? '')
    writeSound()
    const mounted = mountOnItself(file)
    try {
      setReadOnly(file, true)
      expect(open).toThrow(/Satchel can't write its database/)
    } finally {
      mounted.remove()
    }
    expectSound()
  })
})

/** Another process commits one more row and dies, so that the row is in the log only. */
async function dieWithLog(path: string): Promise<void> {
  const script = `const D = require('better-sqlite3'); const d = new D(process.argv[1]); d.pragma('journal_mode = WAL');
    d.exec("INSERT INTO settings (key, value) VALUES ('last', '1')"); process.kill(process.pid, 'SIGKILL')`
  const child = spawn(process.execPath, ['-e', script, path], { stdio: 'inherit' })
  const signal = await new Promise((done) => child.once('exit', (_code, signal) => done(signal)))
  expect(signal).toBe('SIGKILL')
}

test('a damaged database that another program still uses stays where it is', () => {
  writeFileSync(file, 'this is a diary, not a database. '.repeat(40))
  const before = readFileSync(file)
  expect(() =>
    openOrStartFresh(
      file,
      () => NOW,
      () => false,
    ),
  ).toThrow('another Satchel still uses it')
  expect(readFileSync(file)).toEqual(before)
  expect(readdirSync(dir)).toEqual(['satchel.db'])
})
