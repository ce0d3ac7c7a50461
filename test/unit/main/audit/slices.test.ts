import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anchorFile, readAnchor, writeAnchor } from '../../../../src/main/audit/anchor'
import { createAudit } from '../../../../src/main/audit/audit'
import { START, verifyInSlices } from '../../../../src/main/audit/chain'
import { createAuditKeeper, recordDoubts } from '../../../../src/main/audit/keeper'
import { chainReader, verified } from '../../../../src/main/audit/reader'
import { outputDigests } from '../../../../src/main/lib/output-digest'
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

describe('a record whose end was noted', () => {
  const log = { info() {}, warn() {}, error() {} }
  const noted = () => createAuditKeeper({ db, dataDir: dir, writeTo: () => null, problem() {}, log }).close()
  const whole = async () => (await verified(chainReader(db.sql, dir, true))).verdict

  /** As every start does, and what follows it. */
  function start(): void {
    recordDoubts({ db, dataDir: dir }, createAudit({ db, now: () => 1000 }))
    record(2)
    noted()
  }

  test('and that is as it was noted is doubted by nobody', async () => {
    start()
    start()
    expect(await whole()).toEqual({ entries: 4, firstBad: null })
  })

  test('is told for good when all of it was taken away', async () => {
    record(5)
    noted()
    db.close()
    for (const end of ['', '-wal', '-shm']) rmSync(join(dir, `satchel.db${end}`), { force: true })
    db = openDb(join(dir, 'satchel.db'))
    for (let n = 0; n < 2; n += 1) {
      start()
      expect(await whole()).toMatchObject({ firstBad: 1, fault: 'cut-off' })
    }
  })

  test('is told for good when its end was cut off, also in the database', async () => {
    record(5)
    noted()
    tamper('DELETE FROM audit WHERE seq > 3; DELETE FROM audit_head')
    start()
    expect(await whole()).toMatchObject({ firstBad: 4, fault: 'cut-off' })
  })

  test('is told for good when another one took its place', async () => {
    record(5)
    writeAnchor(dir, { seq: 3, hash: 'f'.repeat(64) })
    start()
    expect(await whole()).toMatchObject({ firstBad: 6, fault: 'changed' })
  })

  test.each([
    ['is missing', () => rmSync(anchorFile(dir)), 'was missing'],
    ["can't be understood", () => writeFileSync(anchorFile(dir), '{'), "couldn't be understood"],
  ])('gets a remark when the note %s, now and for good', async (_, meddle, words) => {
    record(5)
    noted()
    meddle()
    const now = await whole()
    expect([now.firstBad, now.remarks?.length, now.remarks?.[0]]).toEqual([
      null,
      1,
      expect.stringContaining(words),
    ])
    start()
    expect(readAnchor(dir)).toMatchObject({ seq: 8 })
    expect((await whole()).remarks?.[0]).toContain(`${words} at entry 6`)
  })

  test('gets no remark before it was noted at all', async () => {
    record(5)
    recordDoubts({ db, dataDir: dir }, createAudit({ db, now: () => 1000 }))
    expect(await whole()).toEqual({ entries: 5, firstBad: null })
  })
})

describe('what runs printed', () => {
  const file = (name: string) => join(dir, 'runs', name)
  const ended = (runId: string) =>
    createAudit({ db, now: () => 1000 }).append({
      actor: 'app',
      action: 'run.finished',
      sessionId: null,
      target: 'jam/a.sh',
      data: { runId, outputSha256: outputDigests(join(dir, 'runs'))(runId) },
    })
  const outputs = async () => (await verified(chainReader(db.sql, dir, true))).verdict

  beforeEach(() => {
    mkdirSync(join(dir, 'runs'))
    for (const name of ['one.log', 'one.2.log', 'one.10.log', 'two.log'])
      writeFileSync(file(name), `${name}\n`)
    ended('one')
    ended('two')
    ended('silent')
  })

  test('is whole as long as nobody changed what is kept, and what is not there is not missed', async () => {
    expect(await outputs()).toEqual({ entries: 3, firstBad: null })
    rmSync(file('two.log'))
    expect(await outputs()).toEqual({ entries: 3, firstBad: null })
  })

  test.each([
    ['head', 'one.log', 1],
    ['last part', 'one.10.log', 1],
    ['only file', 'two.log', 2],
  ])('is told when its %s was changed, with the entry of the run', async (_, name, seq) => {
    writeFileSync(file(name), 'other\n')
    expect(await outputs()).toEqual({ entries: 3, firstBad: seq, fault: 'output' })
    // It takes long with many runs, so only who asks for it has it looked at.
    expect(await verify()).toEqual({ entries: 3, firstBad: null })
  })
})
