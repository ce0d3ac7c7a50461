import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FileEditPlan, Finding, McpPlan, RequestPlan, RunPlan } from '@shared/domain/approval'
import { AppError } from '@shared/errors'
import { createBroker, type Broker, type NewRequest } from '../../../../src/main/approvals/broker'
import { planHash } from '../../../../src/main/lib/plan-hash'
import { createAudit } from '../../../../src/main/audit/audit'
import { queryAudit } from '../../../../src/main/db/audit-rows'
import { openDb, type Db } from '../../../../src/main/db/open'

let dir: string
let db: Db
let broker: Broker

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-broker-'))
  db = openDb(join(dir, 'satchel.db'))
  broker = createBroker({ db, audit: createAudit({ db, now: () => 5 }), now: () => 5 })
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true })
})

const digest = 'a'.repeat(64)
const plan: RunPlan = {
  version: 1,
  kind: 'script',
  skill: { name: 'one', scope: 'personal', key: 'personal:/one', treeDigest: digest },
  script: { path: 'scripts/a.sh', sha256: 'b'.repeat(64), bytes: 3 },
  interpreter: { name: 'bash', path: '/usr/bin/bash', version: '5', source: 'extension', prefixes: [] },
  argv: ['/usr/bin/bash', '/.sandbox/skills/one/scripts/a.sh', 'x'],
  cwd: '/w',
  workspace: '/w',
  env: [],
  stdin: null,
  interactive: false,
  timeoutMs: 1000,
  mounts: [{ name: 'one', treeDigest: digest }],
  sandbox: {
    backend: 'bwrap',
    label: 'b',
    profile: 'workspace-write',
    network: 'off',
    writable: ['/w'],
    readable: [],
  },
}
const serious: Finding = { id: 'sudo', level: 'serious', title: 'Uses sudo', text: 'Line 1.' }

const edit: FileEditPlan = {
  version: 1,
  kind: 'file_edit',
  workspace: '/w',
  path: 'notes.md',
  mode: 'change',
  before: { sha256: 'c'.repeat(64), bytes: 4 },
  after: { sha256: 'd'.repeat(64), bytes: 6 },
  diff: [
    { kind: 'del', before: 1, text: 'old' },
    { kind: 'add', after: 1, text: 'newer' },
  ],
}
const call: McpPlan = {
  version: 1,
  kind: 'mcp',
  server: { name: 'tickets', digest },
  tool: { name: 'search', description: 'Finds', digest, annotations: { readOnlyHint: true } },
  arguments: { query: 'late', limit: 3 },
  timeoutMs: 1000,
}

function open(over: Partial<NewRequest> = {}) {
  return db.durable(() =>
    broker.open({
      sessionId: 's',
      callId: 'c',
      plan,
      planHash: planHash(plan),
      findings: [],
      askReason: 'first',
      reviewRequired: true,
      changed: null,
      agentName: 'General',
      lastUserMessage: 'do it',
      tool: 'skills_run_script',
      agentKey: 'bundled:general',
      projectDir: null,
      ...over,
    }),
  )
}

const decision = (row: { id: string; revision: number; planHash: string }, over = {}) => ({
  requestId: row.id,
  revision: row.revision,
  planHash: row.planHash,
  choice: 'once' as const,
  acknowledged: [],
  ...over,
})

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return error instanceof AppError ? error.code : 'other'
  }
  return 'none'
}

describe('broker.check', () => {
  test('gives the request that was shown', () => {
    const row = open()
    expect(broker.check(decision(row)).id).toBe(row.id)
  })

  test('refuses an unknown request', () => {
    expect(codeOf(() => broker.check(decision({ id: 'none', revision: 1, planHash: digest })))).toBe(
      'not_found',
    )
  })

  test('refuses another revision and another plan hash', () => {
    const row = open()
    expect(codeOf(() => broker.check(decision(row, { revision: 2 })))).toBe('stale')
    expect(codeOf(() => broker.check(decision(row, { planHash: 'c'.repeat(64) })))).toBe('stale')
  })

  test('refuses a second answer', () => {
    const row = open()
    db.durable(() => broker.deny(row, null))
    expect(codeOf(() => broker.check(decision(row)))).toBe('already_decided')
  })

  test('refuses to allow while a serious finding is not ticked, but not to deny', () => {
    const row = open({ findings: [serious] })
    expect(codeOf(() => broker.check(decision(row)))).toBe('not_ready')
    expect(codeOf(() => broker.check(decision(row, { acknowledged: ['other'] })))).toBe('not_ready')
    expect(codeOf(() => broker.check(decision(row, { acknowledged: ['sudo'] })))).toBe('none')
    expect(codeOf(() => broker.check(decision(row, { choice: 'deny' })))).toBe('none')
  })

  test('puts a refused answer on record', () => {
    const row = open()
    codeOf(() => broker.check(decision(row, { revision: 7 })))
    expect(queryAudit(db.sql, { limit: 1 })[0]).toMatchObject({
      action: 'request.refused',
      data: { why: 'stale' },
    })
  })
})

describe('broker.claim', () => {
  test('an approval is good for one run', () => {
    const row = open()
    db.durable(() => broker.approve(row))
    db.durable(() => broker.claim(row.id, row.planHash))
    expect(codeOf(() => db.durable(() => broker.claim(row.id, row.planHash)))).toBe('stale')
  })

  test('nothing is claimed from a pending, denied, stale or cancelled request', () => {
    const pending = open()
    expect(codeOf(() => broker.claim(pending.id, pending.planHash))).toBe('stale')
    for (const close of [
      (row: typeof pending) => broker.deny(row, 'no'),
      (row: typeof pending) => broker.stale(row, 'x'),
      (row: typeof pending) => broker.cancel(row),
    ]) {
      const row = open({ callId: `c-${Math.random()}` })
      db.durable(() => close(row))
      expect(codeOf(() => broker.claim(row.id, row.planHash))).toBe('stale')
    }
  })

  test('an approval does not cover another plan', () => {
    const row = open()
    db.durable(() => broker.approve(row))
    expect(codeOf(() => broker.claim(row.id, planHash({ ...plan, cwd: '/other' })))).toBe('stale')
  })
})

describe('broker.open', () => {
  test('a call has one pending request at most', () => {
    open()
    expect(() => open()).toThrow('UNIQUE')
  })

  test('request, decision and their identity are on record', () => {
    const row = open()
    db.durable(() => broker.approve(row))
    const [allowed, created] = queryAudit(db.sql, { limit: 2 })
    expect(created).toMatchObject({ action: 'request.created', actor: 'agent', target: 'one/scripts/a.sh' })
    expect(allowed).toMatchObject({
      action: 'request.allowed',
      actor: 'person',
      data: { planHash: row.planHash, treeDigest: digest, argv: plan.argv },
    })
  })
})

describe('broker.restore', () => {
  test('what waited waits again, marked as restored', () => {
    const row = open()
    broker.restore()
    expect(broker.get(row.id)).toMatchObject({ status: 'pending', restored: true, revision: 1 })
  })

  test('an approval that started nothing is asked for again, under a new revision', () => {
    const row = open()
    db.durable(() => broker.approve(row))
    broker.restore()
    expect(broker.get(row.id)).toMatchObject({
      status: 'pending',
      restored: true,
      revision: 2,
      decidedAt: null,
    })
    expect(codeOf(() => broker.check(decision(row)))).toBe('stale')
  })

  test('a spent approval stays spent', () => {
    const row = open()
    db.durable(() => broker.approve(row))
    db.durable(() => broker.claim(row.id, row.planHash))
    broker.restore()
    expect(broker.get(row.id)?.status).toBe('approved')
    expect(codeOf(() => broker.claim(row.id, row.planHash))).toBe('stale')
  })
})

describe('planHash', () => {
  test('changes with every field that is executed', () => {
    const changes: RunPlan[] = [
      { ...plan, argv: [...plan.argv, 'y'] },
      { ...plan, argv: [plan.argv[0]!, `${plan.argv[1]} ${plan.argv[2]}`] },
      { ...plan, cwd: '/v' },
      { ...plan, workspace: '/v' },
      { ...plan, env: [{ name: 'A', value: '1' }] },
      { ...plan, stdin: '' },
      { ...plan, interactive: true },
      { ...plan, timeoutMs: 1001 },
      { ...plan, mounts: [] },
      { ...plan, skill: { ...plan.skill!, treeDigest: 'c'.repeat(64) } },
      { ...plan, script: { ...plan.script!, sha256: 'c'.repeat(64) } },
      { ...plan, interpreter: { ...plan.interpreter, path: '/bin/bash' } },
      { ...plan, sandbox: { ...plan.sandbox, network: 'on' } },
      { ...plan, sandbox: { ...plan.sandbox, writable: ['/'] } },
    ]
    const hashes = new Set([plan, ...changes].map(planHash))
    expect(hashes.size).toBe(changes.length + 1)
  })

  test('no two different argument lists share a hash', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b)
        const hash = (args: string[]) => planHash({ ...plan, argv: ['x', ...args] })
        expect(hash(a) === hash(b)).toBe(same)
      }),
    )
  })

  test('does not depend on the order of keys', () => {
    const reversed = Object.fromEntries(Object.entries(plan).reverse()) as RunPlan
    expect(planHash(reversed)).toBe(planHash(plan))
  })

  test('changes with every field of a change of a file, and of a call of an MCP tool', () => {
    const changes: RequestPlan[] = [
      edit,
      { ...edit, workspace: '/v' },
      { ...edit, path: 'other.md' },
      { ...edit, mode: 'create' },
      { ...edit, before: null },
      { ...edit, after: { ...edit.after, sha256: 'e'.repeat(64) } },
      { ...edit, diff: [] },
      call,
      { ...call, server: { name: 'other', digest } },
      { ...call, server: { name: 'tickets', digest: 'e'.repeat(64) } },
      { ...call, tool: { ...call.tool, name: 'delete' } },
      { ...call, tool: { ...call.tool, digest: 'e'.repeat(64) } },
      { ...call, arguments: { query: 'late', limit: 4 } },
    ]
    expect(new Set(changes.map(planHash)).size).toBe(changes.length)
  })
})

describe('requests of other kinds than runs', () => {
  test.each([
    ['a change of a file', edit, 'notes.md', { mode: 'change', after: 'd'.repeat(64) }],
    ['a call of an MCP tool', call, 'tickets/search', { server: { name: 'tickets' } }],
    ['a hook', { ...plan, kind: 'hook' as const }, 'one/scripts/a.sh', { scriptSha256: 'b'.repeat(64) }],
  ])('%s is kept as it is, waits, and is on record by name', (_, asked, target, data) => {
    const row = open({ plan: asked, planHash: planHash(asked) })
    expect(broker.pending()).toEqual([row])
    expect(planHash(broker.get(row.id)!.plan)).toBe(row.planHash)
    const [entry] = queryAudit(db.sql, { limit: 1 })
    expect(entry).toMatchObject({ action: 'request.created', target, data })
  })

  test('a plan of a kind that nobody knows is no request any more', () => {
    const row = open()
    db.sql.prepare(`UPDATE requests SET plan = json_set(plan, '$.kind', 'other') WHERE id = ?`).run(row.id)
    expect(broker.get(row.id)).toBeNull()
  })
})
