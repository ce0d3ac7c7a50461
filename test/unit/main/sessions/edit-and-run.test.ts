import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runPlanOf, type Decision } from '@shared/domain/approval'
import { queryAudit } from '../../../../src/main/db/audit-rows'
import type { RequestRow } from '../../../../src/main/db/request-rows'
import { BOIL, brokenPrefix, codeOf, createKit, LOAD, type Kit } from './kit'

let kit: Kit
beforeEach(async () => {
  kit = await createKit()
})
afterEach(async () => {
  expect(brokenPrefix(kit.asked)).toBeNull()
  expect(kit.errors).toEqual([])
  await kit.remove()
})

const HOT = { ...BOIL, input: { ...BOIL.input, args: ['--hot'] } }

async function askFor(call: typeof BOIL, id = kit.chat()) {
  kit.answers.push({ calls: [LOAD] }, { calls: [call] })
  await kit.say(id, 'go', 'awaiting_approval')
  return { id, row: kit.waiting(id) }
}

function edit({ id: requestId, revision, planHash }: RequestRow, edited: Decision['edited']) {
  return kit.sessions.decide({
    requestId,
    revision,
    planHash,
    choice: 'edit',
    acknowledged: [],
    ...(edited ? { edited } : {}),
  })
}

const argvOf = (row: RequestRow) => runPlanOf(row.plan)!.argv
const lastCall = (id: string) => kit.calls(id).at(-1)!

describe('arguments that a person changed', () => {
  test('make a new request, the old one is void, and nothing runs by it', async () => {
    const { id, row } = await askFor(HOT)
    expect(await edit(row, { args: ['--warm', 'a b'] })).toMatchObject({ id: row.id, status: 'edited' })
    const now = kit.waiting(id)
    expect(now).toMatchObject({ callId: row.callId, status: 'pending', revision: 1 })
    expect(now.id).not.toBe(row.id)
    expect(now.planHash).not.toBe(row.planHash)
    expect(argvOf(now).slice(-2)).toEqual(['--warm', 'a b'])
    expect(now.askReason).toMatch(/^You changed what would run\. /)
    expect(kit.ran).toEqual([])
    expect(await codeOf(() => kit.decide(row, 'once'))).toBe('already_decided')
    expect(kit.ran).toEqual([])
  })

  test('run as they were shown, and the model is told what was changed', async () => {
    const { id, row } = await askFor(HOT)
    await edit(row, { args: ['--warm'] })
    const now = kit.waiting(id)
    await kit.decide(now, 'once')
    await kit.until(id, 'idle')
    expect(kit.ran.map(({ planHash }) => planHash)).toEqual([now.planHash])
    expect(lastCall(id)).toMatchObject({
      input: HOT.input,
      edited: { args: ['--warm'] },
      envelope: {
        success: true,
        note: 'The person changed this call before answering it: the arguments are ["--warm"].',
      },
    })
    expect(JSON.stringify(kit.asked.at(-1)!.history)).toContain('The person changed this call')
  })

  test('stay as they are when the skill changes under the request, and the model is told when it is refused', async () => {
    const { id, row } = await askFor(HOT)
    await edit(row, { args: ['--warm'] })
    writeFileSync(join(kit.home, '.satchel/skills/jam/scripts/boil.sh'), 'echo other\n')
    expect(await kit.decide(kit.waiting(id), 'once')).toMatchObject({ status: 'stale' })
    const again = kit.waiting(id)
    expect(argvOf(again).at(-1)).toBe('--warm')
    await kit.decide(again, 'deny')
    await kit.until(id, 'idle')
    expect(lastCall(id).envelope).toMatchObject({
      error_code: 'denied',
      note: expect.stringContaining('"--warm"') as string,
    })
    expect(kit.ran).toEqual([])
  })

  test('are still there after a restart', async () => {
    const { id, row } = await askFor(HOT)
    await edit(row, { args: ['--warm'] })
    kit = await kit.restart()
    const now = kit.waiting(id)
    expect(argvOf(now).at(-1)).toBe('--warm')
    await kit.decide(now, 'once')
    await kit.until(id, 'idle')
    expect(kit.ran.map(({ plan }) => plan.argv.at(-1))).toEqual(['--warm'])
  })

  test('have their findings computed anew, and what was ticked before counts for nothing', async () => {
    const { id, row } = await askFor(HOT)
    expect(row.findings.map(({ id: finding }) => finding)).not.toContain('hidden-text')
    await edit(row, { args: ['pay\u202Egpj'] })
    expect(kit.waiting(id).findings.map(({ level }) => level)).not.toEqual(
      row.findings.map(({ level }) => level),
    )
  })

  test('are decided from nothing: a rule that allows exactly them does, and it runs', async () => {
    const { id, row } = await askFor(BOIL)
    const { id: requestId, revision, planHash } = row
    await kit.sessions.decide({
      requestId,
      revision,
      planHash,
      choice: 'always',
      acknowledged: [],
      remember: { args: 'exact', days: 30 },
    })
    await kit.until(id, 'idle')
    const asked = await askFor(HOT, id)
    await edit(asked.row, { args: [] })
    await kit.until(id, 'idle')
    expect(kit.deps.broker.get(lastCall(id).requestId ?? '')).toMatchObject({
      status: 'auto_allowed',
      decidedBy: 'rule',
    })
    expect(kit.ran).toHaveLength(2)
  })

  test('are on record with what was asked for before', async () => {
    const { id, row } = await askFor(HOT)
    await edit(row, { args: ['--warm'] })
    const entry = queryAudit(kit.deps.db.sql, { limit: 50 }).find(({ action }) => action === 'request.edited')
    expect(entry).toMatchObject({ actor: 'person', target: 'jam/scripts/boil.sh' })
    expect(entry?.data).toMatchObject({
      requestId: row.id,
      planHash: row.planHash,
      argv: argvOf(row),
      into: { planHash: kit.waiting(id).planHash, argv: argvOf(kit.waiting(id)) },
    })
  })
})

describe('what can not be asked for', () => {
  test.each([
    ['nothing', undefined, 'bad_input'],
    ['the same as before', { args: ['--hot'] }, 'bad_input'],
    ['a command in place of arguments', { command: 'ls' }, 'bad_input'],
  ] as const)('%s is refused, and the request waits as it was', async (_what, edited, code) => {
    const { id, row } = await askFor(HOT)
    const wanted = edited && { ...edited, ...('args' in edited ? { args: [...edited.args] } : {}) }
    expect(await codeOf(() => edit(row, wanted as Decision['edited']))).toBe(code)
    expect(kit.waiting(id)).toEqual(row)
    expect(lastCall(id).edited).toBeUndefined()
  })

  test('an edit of what was shown before it changed is refused', async () => {
    const { row } = await askFor(HOT)
    expect(await codeOf(() => edit({ ...row, planHash: 'f'.repeat(64) }, { args: [] }))).toBe('stale')
  })

  test('two edits at once: one counts, and one request waits', async () => {
    const { id, row } = await askFor(HOT)
    const codes = await Promise.all([
      codeOf(() => edit(row, { args: ['1'] })),
      codeOf(() => edit(row, { args: ['2'] })),
    ])
    expect(codes.toSorted()).toEqual(['already_decided', 'none'])
    expect(kit.deps.broker.pending(id)).toHaveLength(1)
  })
})

describe('a command that a person changed', () => {
  const LIST = { name: 'Bash', input: { command: 'ls -l' } }

  test('is asked for with its new text, and runs so', async () => {
    const { id, row } = await askFor(LIST)
    await edit(row, { command: 'ls -la | wc -l' })
    expect(argvOf(kit.waiting(id)).at(-1)).toBe('ls -la | wc -l')
    await kit.decide(kit.waiting(id), 'once')
    await kit.until(id, 'idle')
    expect(kit.ran.map(({ plan }) => plan.argv.at(-1))).toEqual(['ls -la | wc -l'])
    expect(lastCall(id).envelope?.note).toContain('the command is "ls -la | wc -l"')
  })

  test('that became the run of a script is bound to its content, and its arguments can be changed after that', async () => {
    const { id, row } = await askFor(LIST)
    await edit(row, { command: 'bash /.sandbox/skills/jam/scripts/boil.sh one' })
    expect(kit.waiting(id).plan).toMatchObject({ kind: 'script', script: { path: 'scripts/boil.sh' } })
    await edit(kit.waiting(id), { args: ['two'] })
    const now = kit.waiting(id)
    expect(now.plan.kind).toBe('script')
    expect(argvOf(now).at(-1)).toBe('two')
    expect(argvOf(now)).not.toContain('one')
  })
})

describe('a full-screen program', () => {
  const run = (row: RequestRow) => runPlanOf(row.plan)!

  test('is a request of its own, by a person alone, and the model is told', async () => {
    const { id, row } = await askFor(HOT)
    expect(run(row).fullScreen).toBeUndefined()
    await edit(row, { fullScreen: true })
    const now = kit.waiting(id)
    expect(now.planHash).not.toBe(row.planHash)
    expect(run(now)).toMatchObject({ argv: run(row).argv, fullScreen: true, interactive: true })
    expect(now.reviewRequired).toBe(true)
    await kit.decide(now, 'once')
    await kit.until(id, 'idle')
    expect(kit.ran.map(({ plan }) => plan.fullScreen)).toEqual([true])
    expect(lastCall(id).envelope?.note).toContain('it ran as a full-screen program')
  })

  test('can be a command, and can be taken back before it is allowed', async () => {
    const { id, row } = await askFor({ name: 'Bash', input: { command: 'less notes.txt' } })
    await edit(row, { fullScreen: true })
    expect(run(kit.waiting(id)).fullScreen).toBe(true)
    await edit(kit.waiting(id), { command: 'cat notes.txt', fullScreen: false })
    const now = kit.waiting(id)
    expect(run(now).fullScreen).toBeUndefined()
    await kit.decide(now, 'once')
    await kit.until(id, 'idle')
    expect(lastCall(id).envelope?.note).toBe(
      'The person changed this call before answering it: the command is "cat notes.txt".',
    )
  })
})
