import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '@shared/errors'
import { BOIL, brokenPrefix, codeOf, createKit, LOAD, READ, type Kit } from './kit'

let kit: Kit

beforeEach(async () => {
  kit = await createKit()
})
afterEach(async () => {
  expect(brokenPrefix(kit.asked)).toBeNull()
  await kit.remove()
})

describe('deciding', () => {
  beforeEach(() => kit.askToBoil([{ text: 'done' }]))

  test('allow runs the plan that was shown, once, and the agent goes on', async () => {
    const id = kit.chat()
    await kit.say(id, 'boil', 'awaiting_approval')
    const row = kit.waiting(id)
    await kit.decide(row, 'once')
    await kit.until(id, 'idle')
    expect(kit.ran.map(({ planHash, plan }) => ({ planHash, plan }))).toEqual([
      { planHash: row.planHash, plan: row.plan },
    ])
    expect(kit.said(id).at(-1)).toBe('assistant: done')
  })

  test('deny tells the agent, with the note, and nothing runs', async () => {
    const id = kit.chat()
    await kit.say(id, 'boil', 'awaiting_approval')
    await kit.decide(kit.waiting(id), 'deny', ' too hot ')
    await kit.until(id, 'idle')
    expect(kit.ran).toEqual([])
    expect(kit.calls(id).at(-1)).toMatchObject({
      state: 'denied',
      envelope: { error_code: 'denied', partial: { note: 'too hot' } },
    })
    expect(kit.said(id).at(-1)).toBe('assistant: done')
  })

  test('deny and stop ends the turn, and the next message is answered', async () => {
    const id = kit.chat()
    await kit.say(id, 'boil', 'awaiting_approval')
    await kit.decide(kit.waiting(id), 'deny_stop')
    expect(kit.row(id).state).toBe('idle')
    expect(kit.calls(id).at(-1)?.state).toBe('denied')
    await kit.say(id, 'something else')
    expect(kit.said(id).slice(-2)).toEqual(['user: something else', 'assistant: done'])
  })

  test('the same call asked for again after a denial is a new request', async () => {
    kit.answers.splice(2, 1, { calls: [BOIL] })
    const id = kit.chat()
    await kit.say(id, 'boil', 'awaiting_approval')
    const first = kit.waiting(id)
    await kit.decide(first, 'deny')
    await kit.until(id, 'awaiting_approval')
    expect(kit.waiting(id).id).not.toBe(first.id)
    expect(await codeOf(() => kit.decide(first, 'once'))).toBe('already_decided')
  })

  test('two clicks at once run it once', async () => {
    const id = kit.chat()
    await kit.say(id, 'boil', 'awaiting_approval')
    const row = kit.waiting(id)
    const codes = await Promise.all([
      codeOf(() => kit.decide(row, 'once')),
      codeOf(() => kit.decide(row, 'once')),
    ])
    await kit.until(id, 'idle')
    expect(codes.toSorted()).toEqual(['already_decided', 'none'])
    expect(kit.ran).toHaveLength(1)
  })

  test('a stop that comes while the click is checked wins', async () => {
    const id = kit.chat()
    await kit.say(id, 'boil', 'awaiting_approval')
    const deciding = codeOf(() => kit.decide(kit.waiting(id), 'once'))
    await kit.sessions.stop(id, false)
    expect(await deciding).toBe('already_decided')
    expect(kit.ran).toEqual([])
    expect(kit.row(id).state).toBe('idle')
  })

  test('going on while a request waits changes nothing, and the click still counts once', async () => {
    const id = kit.chat()
    await kit.say(id, 'boil', 'awaiting_approval')
    const deciding = kit.decide(kit.waiting(id), 'once')
    kit.sessions.resume(id)
    kit.sessions.resume(id)
    await deciding
    await kit.until(id, 'idle')
    expect(kit.ran).toHaveLength(1)
  })

  test('a skill that is gone at the click runs nothing and is told to the agent', async () => {
    const id = kit.chat()
    await kit.say(id, 'boil', 'awaiting_approval')
    rmSync(join(kit.home, '.satchel/skills/jam'), { recursive: true })
    await kit.deps.registry.refresh()
    expect((await kit.decide(kit.waiting(id), 'once')).status).toBe('stale')
    await kit.until(id, 'idle')
    expect(kit.ran).toEqual([])
    expect(kit.calls(id).at(-1)).toMatchObject({ state: 'stale', envelope: { error_code: 'not_found' } })
  })

  test('a skill unloaded while its request waits runs nothing', async () => {
    const id = kit.chat()
    await kit.say(id, 'boil', 'awaiting_approval')
    await kit.sessions.unloadSkill(id, 'jam')
    expect((await kit.decide(kit.waiting(id), 'once')).status).toBe('stale')
    await kit.until(id, 'idle')
    expect(kit.ran).toEqual([])
  })

  test('an approval that could not be used is never asked for again as if it waited', async () => {
    kit.run.before = () => Promise.reject(new AppError('stale', 'The sandbox changed.'))
    const id = kit.chat()
    await kit.say(id, 'boil', 'awaiting_approval')
    const row = kit.waiting(id)
    await kit.decide(row, 'once')
    await kit.until(id, 'idle')
    expect(kit.calls(id).at(-1)?.envelope?.error_code).toBe('stale')
    expect(kit.deps.broker.get(row.id)?.status).toBe('stale')
    kit = await kit.restart()
    expect(kit.deps.broker.pending()).toEqual([])
    expect(kit.row(id).state).toBe('idle')
  })

  test('a request whose call has ended can not start it again', async () => {
    const id = kit.chat()
    await kit.say(id, 'boil', 'awaiting_approval')
    const row = kit.waiting(id)
    const call = kit.calls(id).at(-1)!
    kit.deps.db.sql.prepare(`UPDATE calls SET state = 'cancelled' WHERE id = ?`).run(call.id)
    writeFileSync(join(kit.home, '.satchel/skills/jam/scripts/boil.sh'), 'echo other\n')
    await kit.decide(row, 'once')
    await kit.until(id, 'idle')
    expect(kit.deps.broker.pending()).toEqual([])
    expect(kit.calls(id).at(-1)?.state).toBe('cancelled')
    expect(kit.ran).toEqual([])
  })
})

describe('several calls in one answer', () => {
  test('are carried out in their order, and one that waits holds back those after it', async () => {
    kit.answers.push({ calls: [LOAD] }, { calls: [BOIL, READ, BOIL] }, { text: 'done' })
    const id = kit.chat()
    await kit.say(id, 'boil twice', 'awaiting_approval')
    expect(kit.calls(id).map(({ state }) => state)).toEqual(['done', 'awaiting_approval', 'ready', 'ready'])
    await kit.decide(kit.waiting(id), 'deny')
    await kit.until(id, 'awaiting_approval')
    expect(kit.calls(id).map(({ state }) => state)).toEqual(['done', 'denied', 'done', 'awaiting_approval'])
    await kit.decide(kit.waiting(id), 'once')
    await kit.until(id, 'idle')
    expect(kit.calls(id).map(({ state }) => state)).toEqual(['done', 'denied', 'done', 'done'])
    expect(kit.ran).toHaveLength(1)
  })

  test('deny and stop on the first cancels the rest', async () => {
    kit.answers.push({ calls: [LOAD] }, { calls: [BOIL, BOIL] })
    const id = kit.chat()
    await kit.say(id, 'boil twice', 'awaiting_approval')
    await kit.decide(kit.waiting(id), 'deny_stop')
    expect(kit.calls(id).map(({ state }) => state)).toEqual(['done', 'denied', 'cancelled'])
    expect(kit.row(id).state).toBe('idle')
  })

  test('more than 32 are answered with a limit, each with a result', async () => {
    kit.answers.push({ calls: [LOAD] }, { calls: Array.from({ length: 34 }, () => READ) }, { text: 'done' })
    const id = kit.chat()
    await kit.say(id, 'read')
    const codes = kit.calls(id).map(({ envelope }) => envelope?.error_code ?? 'ok')
    expect(codes.slice(-3)).toEqual(['ok', 'limit', 'limit'])
    const results = kit.asked[2]?.history.at(-1)
    expect(results?.role === 'tool' && results.results.every(({ value }) => value !== null)).toBe(true)
    expect(results?.role === 'tool' && results.results.length).toBe(34)
  })
})
