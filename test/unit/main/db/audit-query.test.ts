import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AuditFilter } from '../../../../src/shared/domain/audit'
import { createAudit } from '../../../../src/main/audit/audit'
import type { NewAuditEvent } from '../../../../src/main/audit/audit'
import { auditPage, auditSummary } from '../../../../src/main/db/audit-query'
import { openDb, type Db } from '../../../../src/main/db/open'

const DAY = 86_400_000
let dir: string
let db: Db
let at: number

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-audit-'))
  db = openDb(join(dir, 'satchel.db'))
  at = 10 * DAY
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true })
})

function record(...events: Partial<NewAuditEvent>[]): void {
  const audit = createAudit({ db, now: () => at })
  for (const event of events)
    audit.append({
      actor: 'agent',
      action: 'skill.loaded',
      sessionId: null,
      target: 'pdf',
      data: {},
      ...event,
    })
}

const found = (filter: AuditFilter) => auditPage(db.sql, { filter, limit: 50 }).map(({ seq }) => seq)

describe('a page of the record', () => {
  test('goes on from an offset, and leaves out what came later', () => {
    record({}, {}, {}, {})
    expect(auditPage(db.sql, { upTo: 3, offset: 1, limit: 1 }).map(({ seq }) => seq)).toEqual([2])
  })

  test.each<[AuditFilter, number[]]>([
    [{}, [5, 4, 3, 2, 1]],
    [{ view: 'runs' }, [4, 3, 2]],
    [{ view: 'denied' }, [4]],
    [{ actions: ['run.finished', 'skill.loaded'] }, [3, 1]],
    [{ decision: 'allowed' }, [2]],
    [{ decision: 'rule' }, [2]],
    [{ decision: 'denied' }, [4]],
    [{ result: 'failed' }, [3]],
    [{ result: 'succeeded' }, []],
    [{ skill: 'pdf' }, [1]],
    [{ text: 'fill FORM' }, [2]],
    [{ text: '%' }, []],
    [{ text: `' OR 1=1 --` }, []],
    [{ hash: 'ABC1' }, [2]],
    [{ since: 11 * DAY }, [5]],
    [{ until: 11 * DAY, view: 'runs' }, [4, 3, 2]],
  ])('with %j has %j', (filter, expected) => {
    record(
      {},
      {
        action: 'request.auto_allowed',
        target: 'pdf/fill_form.py',
        data: { ruleId: 'r', planHash: 'abc123' },
      },
      { action: 'run.finished', target: 'x', data: { status: 'failed' } },
      { action: 'request.denied', target: 'y' },
    )
    at = 11 * DAY
    record({ action: 'settings.changed', target: 'theme' })
    expect(found(filter)).toEqual(expected)
  })
})

describe('the summary', () => {
  test('counts by day of the zone, by view, and what was decided', () => {
    at = 10 * DAY + 3_600_000
    record({}, { action: 'run.started' })
    const decided = { actor: 'person', action: 'request.allowed', sessionId: null } as const
    for (const waitedMs of [1000, 8000, 9000]) record({ ...decided, data: { waitedMs } })
    record(
      { ...decided, actor: 'app', action: 'request.auto_allowed', data: { ruleId: 'r1' } },
      { action: 'request.denied' },
    )
    expect(auditSummary(db.sql, { view: 'denied' }, -2 * 3_600_000)).toMatchObject({
      head: 7,
      total: 1,
      days: [{ day: 9, reads: 1, runs: 1, denied: 1 }],
      facts: { runs: 1, allowed: 4, byRule: 1, denied: 1, medianDecideMs: 8000 },
      views: { everything: 7, runs: 6, denied: 1, skills: 0, rules: 0 },
      choices: { skills: ['pdf'], agents: [], projects: [] },
    })
  })

  test('of nothing is zeros', () => {
    expect(auditSummary(db.sql, {}, 0)).toMatchObject({
      head: 0,
      total: 0,
      days: [],
      facts: { medianDecideMs: null },
    })
  })
})
