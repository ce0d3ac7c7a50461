import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AuditEvent } from '../../../../src/shared/domain/audit'
import { createAudit } from '../../../../src/main/audit/audit'
import { csvLine, exported, exportTo, jsonLine } from '../../../../src/main/audit/export'
import { openDb, type Db } from '../../../../src/main/db/open'

const event = (target: string, data: AuditEvent['data'] = {}): AuditEvent => ({
  seq: 7,
  at: 0,
  actor: 'agent',
  action: 'run.started',
  sessionId: null,
  target,
  data,
  prevHash: 'p',
  hash: 'h',
})
const targetCell = (target: string) => csvLine(event(target)).split('run.started,')[1]?.split(',agent,')[0]

describe('a row of CSV', () => {
  test.each([
    ['=1+1', `"'=1+1"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t=1"`],
    [' =1', `"' =1"`],
    ['\r=1', `"'\r=1"`],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['plain', 'plain'],
  ])('has %j as %s', (target, cell) => {
    expect(targetCell(target)).toBe(cell)
  })
})

test('a line of JSON has everything that the hash covers', () => {
  expect(JSON.parse(jsonLine(event('x', { a: 1 })))).toEqual(event('x', { a: 1 }))
})

describe('an export', () => {
  let dir: string
  let db: Db
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'satchel-audit-'))
    db = openDb(join(dir, 'satchel.db'))
    const audit = createAudit({ db, now: () => 1000 })
    db.tx(() => {
      for (let n = 1; n <= 1200; n += 1)
        audit.append({
          actor: 'app',
          action: n % 2 ? 'run.started' : 'file.read',
          sessionId: null,
          target: `${n}`,
          data: {},
        })
    })
  })
  afterEach(() => {
    db.close()
    rmSync(dir, { recursive: true })
  })
  const pause = async () => undefined

  test('has what fits, up to the entry that was seen, and says how many', async () => {
    const file = join(dir, 'x.jsonl')
    const parts = exported(db.sql, { filter: { view: 'runs' }, upTo: 1100, format: 'jsonl' })
    expect(await exportTo(file, parts, pause)).toBe(550)
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    expect([lines.length, (JSON.parse(lines.at(-1) ?? '') as AuditEvent).seq]).toEqual([550, 1099])
  })

  test('as CSV begins with the names of its columns', async () => {
    const file = join(dir, 'x.csv')
    await exportTo(file, exported(db.sql, { filter: {}, upTo: 1, format: 'csv' }), pause)
    expect(readFileSync(file, 'utf8')).toMatch(
      /^entry,time,event,what,.*\r\n1,1970-01-01T00:00:01.000Z,run.started,1,/,
    )
  })

  test('that fails leaves nothing behind', async () => {
    const file = join(dir, 'x.csv')
    function* failing() {
      yield { text: 'a', rows: 1 }
      throw new Error('no')
    }
    await expect(exportTo(file, failing(), pause)).rejects.toThrow('no')
    expect([existsSync(file), readdirSync(dir).filter((name) => name.includes('part'))]).toEqual([false, []])
  })
})
