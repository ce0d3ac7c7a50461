import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAudit } from '../../../../src/main/audit/audit'
import { writeThrough } from '../../../../src/main/audit/written-file'
import { openDb, type Db } from '../../../../src/main/db/open'

let dir: string
let db: Db
let file: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-audit-'))
  db = openDb(join(dir, 'satchel.db'))
  file = join(dir, 'audit.jsonl')
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true })
})

function record(count: number, to: Db = db): void {
  const audit = createAudit({ db: to, now: () => 1000 })
  to.tx(() => {
    for (let n = 1; n <= count; n += 1)
      audit.append({ actor: 'app', action: 'run.started', sessionId: null, target: `é${n}`, data: { n } })
  })
}

function writeAll(to: Db = db): void {
  while (writeThrough(to, file));
}

const seqs = (path = file) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { seq: number }).seq)
const upTo = (n: number) => Array.from({ length: n }, (_, at) => at + 1)

describe('the file that the record is also written to', () => {
  test('has every entry once, in order, also those from before it was named', () => {
    record(3)
    writeAll()
    record(1200)
    writeAll()
    writeAll()
    expect(seqs()).toEqual(upTo(1203))
  })

  test('has what was read back: the same hash', () => {
    record(1)
    writeAll()
    const [line = ''] = readFileSync(file, 'utf8').split('\n')
    expect(JSON.parse(line)).toMatchObject({ seq: 1, target: 'é1', data: { n: 1 } })
  })

  test('loses and doubles no line, wherever a crash tore the last one and whatever the database noted', () => {
    record(6)
    writeAll()
    const whole = readFileSync(file)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length }), fc.integer({ min: 0, max: 6 }), (cut, noted) => {
        truncateSync(file, cut)
        const lines = whole.subarray(0, cut).filter((byte) => byte === 0x0a).length
        // The note is written after the lines, so it is never ahead of them.
        db.sql.prepare('UPDATE audit_files SET seq = ?').run(Math.min(noted, lines))
        writeAll()
        expect(readFileSync(file).equals(whole)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('cuts off an end that is no beginning of the next line', () => {
    record(2)
    writeAll()
    appendFileSync(file, '{"seq":9,"nonsense')
    record(1)
    writeAll()
    expect(seqs()).toEqual(upTo(3))
  })

  test('goes on in a new file after the old one was moved away', () => {
    record(2)
    writeAll()
    renameSync(file, `${file}.1`)
    record(2)
    writeAll()
    expect([seqs(`${file}.1`), seqs()]).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  test('of another record does not keep a new one from being written', () => {
    record(5)
    writeAll()
    const other = openDb(join(dir, 'other.db'))
    record(2, other)
    writeAll(other)
    writeAll(other)
    other.close()
    expect(seqs()).toEqual([1, 2, 3, 4, 5, 1, 2])
  })

  test('is never written through a link', () => {
    record(1)
    const elsewhere = join(dir, 'elsewhere')
    writeFileSync(elsewhere, 'mine')
    symlinkSync(elsewhere, file)
    expect(() => writeThrough(db, file)).toThrow('it is a link')
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine')
  })

  test('is refused where it is a folder, has a relative path, or its folder is missing', () => {
    record(1)
    expect(() => writeThrough(db, dir)).toThrow('EISDIR')
    expect(() => writeThrough(db, 'audit.jsonl')).toThrow('its path must begin at the root')
    expect(() => writeThrough(db, join(dir, 'none', 'x'))).toThrow('ENOENT')
    expect(existsSync(join(dir, 'none'))).toBe(false)
  })

  test('that was refused catches up later', () => {
    record(2)
    symlinkSync('/nonexistent', file)
    expect(() => writeThrough(db, file)).toThrow('catches up')
    rmSync(file)
    writeAll()
    expect(seqs()).toEqual([1, 2])
  })
})
