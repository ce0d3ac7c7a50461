import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAudit } from '../../../../src/main/audit/audit'
import { verifyChain } from '../../../../src/main/audit/chain'
import { allAudit, queryAudit } from '../../../../src/main/db/audit-rows'
import { openDb, type Db } from '../../../../src/main/db/open'

let dir: string
let db: Db

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-audit-'))
  db = openDb(join(dir, 'satchel.db'))
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true })
})

function record(count: number): void {
  const audit = createAudit({ db, now: () => 1000 })
  for (let n = 1; n <= count; n += 1) {
    db.durable(() =>
      audit.append({
        actor: 'agent',
        action: 'skill.loaded',
        sessionId: null,
        target: `s${n}`,
        data: { n, gone: undefined },
      }),
    )
  }
}

/** Writes past the triggers, as somebody with the file in their hands could. */
function tamper(sql: string): void {
  const raw = new Database(join(dir, 'satchel.db'))
  raw.exec('DROP TRIGGER audit_no_update; DROP TRIGGER audit_no_delete')
  raw.exec(sql)
  raw.close()
}

describe('the audit chain', () => {
  test('holds for what was appended', () => {
    record(5)
    expect(verifyChain(allAudit(db.sql))).toEqual({ entries: 5, firstBad: null })
  })

  test('an empty record holds', () => {
    expect(verifyChain(allAudit(db.sql))).toEqual({ entries: 0, firstBad: null })
  })

  test.each([
    ['a changed target', `UPDATE audit SET target = 'other' WHERE seq = 3`, 3],
    ['changed data', `UPDATE audit SET data = '{"n":9}' WHERE seq = 2`, 2],
    ['data that is not JSON', `UPDATE audit SET data = 'x' WHERE seq = 2`, 2],
    ['an unknown action', `UPDATE audit SET action = 'nothing' WHERE seq = 4`, 4],
    ['a removed entry', `DELETE FROM audit WHERE seq = 3`, 3],
    ['a removed first entry', `DELETE FROM audit WHERE seq = 1`, 1],
  ])('names the first bad entry after %s', (_what, sql, firstBad) => {
    record(5)
    tamper(sql)
    expect(verifyChain(allAudit(db.sql)).firstBad).toBe(firstBad)
  })

  test('the app itself can not change or remove an entry', () => {
    record(1)
    expect(() => db.sql.exec(`UPDATE audit SET target = 'x'`)).toThrow('append-only')
    expect(() => db.sql.exec('DELETE FROM audit')).toThrow('append-only')
  })

  test('an entry is gone when the transaction it belongs to fails', () => {
    const audit = createAudit({ db, now: () => 1 })
    const failing = () =>
      db.durable(() => {
        audit.append({ actor: 'app', action: 'run.started', sessionId: null, target: 'x', data: {} })
        throw new Error('no')
      })
    expect(failing).toThrow('no')
    expect(verifyChain(allAudit(db.sql)).entries).toBe(0)
  })

  test('pages go back from the newest', () => {
    record(5)
    expect(queryAudit(db.sql, { limit: 2 }).map((event) => event.seq)).toEqual([5, 4])
    expect(queryAudit(db.sql, { before: 4, limit: 2 }).map((event) => event.seq)).toEqual([3, 2])
  })
})
