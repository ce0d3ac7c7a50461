import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeAnchor } from '../../../../src/main/audit/anchor'
import { createAudit } from '../../../../src/main/audit/audit'
import { START, verifyInSlices } from '../../../../src/main/audit/chain'
import { chainReader } from '../../../../src/main/audit/reader'
import { auditHead } from '../../../../src/main/db/audit-rows'
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
  db.tx(() => {
    for (let n = 1; n <= count; n += 1)
      audit.append({ actor: 'app', action: 'run.started', sessionId: null, target: `${n}`, data: { n } })
  })
}

/** As somebody with the file in their hands could. */
function tamper(statements: string): void {
  db.sql.exec(`DROP TRIGGER IF EXISTS audit_no_update; DROP TRIGGER IF EXISTS audit_no_delete; ${statements}`)
}

const verify = async () => (await verifyInSlices(chainReader(db.sql, dir))).verdict

describe('a record that is verified in slices', () => {
  test('holds, and lets others work in between', async () => {
    record(2500)
    let pauses = 0
    const reader = { ...chainReader(db.sql, dir), pause: async () => void (pauses += 1) }
    expect((await verifyInSlices(reader)).verdict).toEqual({ entries: 2500, firstBad: null })
    expect(pauses).toBe(2)
  })

  test.each([
    ['a changed entry', `UPDATE audit SET target = 'x' WHERE seq = 1500`, 1500, 'changed'],
    ['a changed event kind', `UPDATE audit SET action = 'nothing' WHERE seq = 7`, 7, 'changed'],
    ['a removed entry', 'DELETE FROM audit WHERE seq = 1001', 1001, 'missing'],
    ['entries that changed places', SWAP(), 10, 'changed'],
    ['an end that was cut off', 'DELETE FROM audit WHERE seq > 1990', 1991, 'cut-off'],
    ['everything removed', 'DELETE FROM audit', 1, 'cut-off'],
  ])('names %s', async (_what, statements, firstBad, fault) => {
    record(2000)
    tamper(statements)
    expect(await verify()).toMatchObject({ firstBad, fault })
  })

  test('names a cut-off end also when the note in the database was cut too, by the note beside it', async () => {
    record(20)
    writeAnchor(dir, auditHead(db.sql)!)
    tamper('DELETE FROM audit WHERE seq > 15; DELETE FROM audit_head')
    expect(await verify()).toMatchObject({ firstBad: 16, fault: 'cut-off' })
  })

  test('names another record in its place', async () => {
    record(5)
    writeAnchor(dir, { seq: 3, hash: 'f'.repeat(64) })
    expect(await verify()).toMatchObject({ firstBad: 3, fault: 'changed' })
  })

  test('shows a cut-off end for ever: what is appended later does not close the gap', async () => {
    record(10)
    tamper('DELETE FROM audit WHERE seq > 8')
    record(3)
    expect(await verify()).toMatchObject({ firstBad: 9, fault: 'missing' })
  })

  test('may go on from where it was sound', async () => {
    record(10)
    const { at } = await verifyInSlices(chainReader(db.sql, dir), START)
    record(5)
    const { verdict } = await verifyInSlices(chainReader(db.sql, dir), at)
    expect(verdict).toEqual({ entries: 15, firstBad: null })
  })
})

function SWAP(): string {
  return `UPDATE audit SET seq = 100000 WHERE seq = 10; UPDATE audit SET seq = 10 WHERE seq = 11;
    UPDATE audit SET seq = 11 WHERE seq = 100000`
}
