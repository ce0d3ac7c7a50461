import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createAudit } from '../../../src/main/audit/audit'
import { openDb } from '../../../src/main/db/open'
import { testWorld } from './cli-world'

/** A data folder with four entries. */
function withRecord(tamper = '') {
  const world = testWorld({ env: { SATCHEL_HOME: '/' } })
  const dataDir = join(world.home, 'data')
  Object.assign(world.world.env, { SATCHEL_HOME: dataDir })
  mkdirSync(dataDir)
  const db = openDb(join(dataDir, 'satchel.db'))
  const audit = createAudit({ db, now: () => Date.parse('2026-11-03T12:00:00Z') })
  const add = (action: 'skill.loaded' | 'request.denied' | 'run.finished', target: string, data = {}) =>
    audit.append({ actor: 'agent', action, sessionId: null, target, data })
  add('skill.loaded', 'pdf')
  add('request.denied', 'pdf/\u001b[31mx.py', { note: 'Wrong cluster' })
  add('run.finished', '=cmd', { status: 'failed', exitCode: 3, durationMs: 5 })
  add('skill.loaded', 'names')
  if (tamper) db.sql.exec(`DROP TRIGGER audit_no_update; DROP TRIGGER audit_no_delete; ${tamper}`)
  db.close()
  return world
}

describe('satchel audit list', () => {
  test('has the newest first, in words, and nothing that acts on the terminal', async () => {
    const { out, exit } = await withRecord().run('audit', 'list')
    const lines = out.split('\n')
    expect([exit, lines.length, lines[1]]).toEqual([
      0,
      7,
      expect.stringMatching(/^ +4 .*Skill loaded +names/),
    ])
    expect(out).not.toContain('\u001b')
    expect(out).toContain('Wrong cluster')
    expect(out).toContain('4 entries.')
  })

  test('is narrowed by options and words', async () => {
    const { json } = withRecord()
    const seqs = async (...args: string[]) =>
      ((await json('audit', 'list', ...args)).result as { entries: { seq: number }[] }).entries.map(
        ({ seq }) => seq,
      )
    expect(await seqs('--view', 'denied')).toEqual([2])
    expect(await seqs('--skill', 'pdf')).toEqual([1])
    expect(await seqs('--result', 'failed')).toEqual([3])
    expect(await seqs('--event', 'skill.loaded', '--limit', '1')).toEqual([4])
    expect(await seqs('wrong', 'cluster')).toEqual([2])
    expect(await seqs('--since', '2026-11-04')).toEqual([])
  })

  test('refuses a time and a number that are none', async () => {
    const { run } = withRecord()
    expect(await run('audit', 'list', '--since', 'soon')).toMatchObject({ exit: 2 })
    expect(await run('audit', 'list', '--limit', '0')).toMatchObject({ exit: 2 })
  })

  test('without data says that nothing was recorded', async () => {
    expect(await testWorld().run('audit', 'list')).toMatchObject({
      exit: 1,
      err: expect.stringContaining('Nothing was recorded yet') as string,
    })
  })
})

describe('satchel audit show', () => {
  test('has everything of one entry', async () => {
    const { run, json } = withRecord()
    expect((await run('audit', 'show', '2')).out).toMatch(/^Entry 2\nEvent +Denied \(request\.denied\)\n/)
    expect((await json('audit', 'show', '3')).result).toMatchObject({ event: { seq: 3, target: '=cmd' } })
  })

  test('of none says so', async () => {
    const { run } = withRecord()
    expect(await run('audit', 'show', '99')).toMatchObject({ exit: 1 })
    expect(await run('audit', 'show', 'x')).toMatchObject({ exit: 2 })
  })
})

describe('satchel audit verify', () => {
  test('ends with 0 where the log is whole', async () => {
    expect(await withRecord().run('audit', 'verify')).toMatchObject({
      exit: 0,
      out: 'Log verified, 4 entries, no gaps.\n',
    })
  })

  test.each([
    [`UPDATE audit SET target = 'x' WHERE seq = 2`, 2, 'changed'],
    ['DELETE FROM audit WHERE seq = 3', 3, 'missing'],
    ['DELETE FROM audit WHERE seq = 4', 4, 'cut-off'],
  ])('after %s ends with 1 and names the entry', async (tamper, firstBad, fault) => {
    const { exit, result } = await withRecord(tamper).json('audit', 'verify')
    expect([exit, result]).toEqual([1, expect.objectContaining({ ok: false, firstBad, fault })])
  })

  test('checks a file that was exported, from its first line on', async () => {
    const { cwd, run } = withRecord()
    const file = join(cwd, 'log.jsonl')
    await run('audit', 'export', '--out', file)
    expect(await run('audit', 'verify', file)).toMatchObject({ exit: 0 })
    writeFileSync(file, readFileSync(file, 'utf8').replace('"pdf"', '"pdg"'))
    expect(await run('audit', 'verify', file)).toMatchObject({
      exit: 1,
      out: expect.stringContaining('Entry 1 ') as string,
    })
    expect(await run('audit', 'verify', join(cwd, 'none'))).toMatchObject({ exit: 1 })
  })

  test('says of a file whose last line is torn that it is incomplete, not that it was changed', async () => {
    const { cwd, run } = withRecord()
    const file = join(cwd, 'log.jsonl')
    await run('audit', 'export', '--out', file)
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, whole.slice(0, -20))
    expect(await run('audit', 'verify', file)).toMatchObject({
      exit: 0,
      err: expect.stringContaining('The last line is incomplete') as string,
    })
    // With a line behind it, it was changed.
    writeFileSync(file, `${whole.slice(0, -20)}\n`)
    expect(await run('audit', 'verify', file)).toMatchObject({ exit: 1 })
  })
})

describe('satchel audit export', () => {
  test('writes to standard output, and is on record itself', async () => {
    const { run } = withRecord()
    const { out, err } = await run('audit', 'export', '--view', 'runs', '--format', 'csv')
    expect(out.split('\r\n')).toHaveLength(4)
    expect(out).toContain(`"'=cmd"`)
    expect(err).toBe('2 entries written.\n')
    expect((await run('audit', 'list', '--event', 'export.made')).out).toContain('2 rows, csv')
    expect(await run('audit', 'verify')).toMatchObject({ exit: 0 })
  })

  test('with --json wants a file', async () => {
    const { cwd, run, json } = withRecord()
    expect(await run('audit', 'export', '--json')).toMatchObject({ exit: 2 })
    const { result } = await json('audit', 'export', '--out', join(cwd, 'x.jsonl'))
    expect(result).toEqual({ path: join(cwd, 'x.jsonl'), rows: 4, format: 'jsonl' })
  })
})
