import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAudit } from '../../../../src/main/audit/audit'
import { verifyChain } from '../../../../src/main/audit/chain'
import { allAudit } from '../../../../src/main/db/audit-rows'
import { openDb, type Db } from '../../../../src/main/db/open'
import { startProgram } from '../../../helpers/shared-data'

let home: string
let db: Db

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'satchel-audit-'))
  db = openDb(join(home, 'data', 'satchel.db'))
})
afterEach(() => {
  db.close()
  rmSync(home, { recursive: true })
})

const entry = (target: string) =>
  ({ actor: 'app', action: 'settings.changed', sessionId: null, target, data: {} }) as const

describe('append', () => {
  test('outside of a transaction makes its own, durable one', () => {
    const levels: unknown[] = []
    const now = () => {
      levels.push(db.sql.inTransaction, db.sql.pragma('synchronous', { simple: true }))
      return 1
    }
    createAudit({ db, now }).append(entry('x'))
    expect(levels).toEqual([true, 2])
    expect([...allAudit(db.sql)]).toHaveLength(1)
  })

  test('inside a transaction goes with it when that fails', () => {
    const audit = createAudit({ db, now: () => 1 })
    expect(() =>
      db.durable(() => {
        audit.append(entry('x'))
        throw new Error('later')
      }),
    ).toThrow('later')
    expect([...allAudit(db.sql)]).toEqual([])
  })

  test('sees the last entry of another connection, whatever this one read before', () => {
    const other = openDb(join(home, 'data', 'satchel.db'))
    for (const [n, one] of [db, other, db, db, other].entries()) {
      createAudit({ db: one, now: () => n }).append(entry(`${n}`))
    }
    other.close()
    expect(verifyChain(allAudit(db.sql))).toEqual({ entries: 5, firstBad: null })
  })
})

test(
  'two processes that append 500 entries each against each other lose none, and the chain holds',
  { timeout: 120_000 },
  async () => {
    const programs = await Promise.all(
      [1, 2].map((seed) => startProgram({ home, role: 'append', seed, count: 500 })),
    )
    await Promise.all(programs.map((program) => program.until('open', ({ t }) => t === 'open')))
    writeFileSync(join(home, 'go'), '')
    await Promise.all(programs.map(({ child }) => once(child, 'close')))
    expect(programs.flatMap(({ lines }) => lines.filter(({ t }) => t === 'error'))).toEqual([])
    expect(verifyChain(allAudit(db.sql))).toEqual({ entries: 1000, firstBad: null })
    const entries = [...allAudit(db.sql)]
    for (const target of ['1', '2']) {
      const order = entries.filter((one) => one.target === target).map(({ data }) => data['n'])
      expect(order).toEqual(Array.from({ length: 500 }, (_, n) => n))
    }
    // They really wrote by turns.
    const turns = entries.filter((one, at) => at > 0 && one.target !== entries[at - 1]?.target).length
    expect(turns).toBeGreaterThan(10)
  },
)
