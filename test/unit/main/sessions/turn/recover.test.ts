import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { brokenPrefix, createKit, deferred, type Kit } from '../kit'

let kit: Kit

beforeEach(async () => {
  kit = await createKit()
})
afterEach(async () => {
  expect(brokenPrefix(kit.asked)).toBeNull()
  await kit.remove()
})

const never = new Promise(() => undefined)
const lastState = (id: string) => kit.calls(id).at(-1)?.state

describe('a quit', () => {
  test('during an answer keeps what arrived, and going on asks the model again', async () => {
    const id = kit.chat()
    kit.answers.push({ text: 'half', hold: never })
    kit.sessions.send(id, 'first')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    kit = await kit.restart([{ text: 'whole' }])
    expect(kit.row(id).state).toBe('interrupted')
    expect(kit.messages(id).at(-1)).toMatchObject({ status: 'interrupted', parts: [{ text: 'half' }] })
    expect(kit.asked).toEqual([])
    kit.sessions.resume(id)
    await kit.until(id, 'idle')
    expect(kit.said(id)).toEqual(['user: first', 'assistant: half', 'assistant: whole'])
  })

  test('after the last word of an answer leaves nothing to go on with', async () => {
    const id = kit.chat()
    await kit.say(id, 'first')
    kit = await kit.restart()
    expect(kit.row(id).state).toBe('idle')
  })

  test('between the click and the start of the run asks again, under a new revision', async () => {
    const id = kit.chat()
    kit.askToBoil([{ text: 'done' }])
    const hold = deferred()
    kit.run.before = async () => {
      await hold.promise
      throw new Error('Satchel is closing.')
    }
    await kit.say(id, 'boil', 'awaiting_approval')
    const row = kit.waiting(id)
    await kit.decide(row, 'once')
    const restarted = kit.restart([{ text: 'done' }])
    hold.resolve()
    kit = await restarted
    expect(kit.row(id).state).toBe('awaiting_approval')
    expect(kit.waiting(id)).toMatchObject({ id: row.id, revision: 2, restored: true, decidedAt: null })
    await kit.decide(kit.waiting(id), 'once')
    await kit.until(id, 'idle')
    expect(kit.ran).toHaveLength(1)
    expect(lastState(id)).toBe('done')
  })

  test('keeps queued messages, and delivers them when the chat goes on', async () => {
    const id = kit.chat()
    kit.answers.push({ text: 'half', hold: never })
    kit.sessions.send(id, 'first')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    kit.sessions.send(id, 'second')
    kit = await kit.restart([{ text: 'whole' }])
    kit.sessions.resume(id)
    await kit.until(id, 'idle')
    expect(kit.said(id)).toEqual(['user: first', 'assistant: half', 'user: second', 'assistant: whole'])
  })
})

describe('a crash', () => {
  test('during an answer leaves it interrupted, and nothing is asked by itself', async () => {
    const id = kit.chat()
    kit.answers.push({ text: 'half', hold: never })
    kit.sessions.send(id, 'first')
    await vi.waitFor(() => expect(kit.messages(id)[1]?.parts).toHaveLength(1))
    kit = await kit.crash([{ text: 'whole' }])
    expect(kit.row(id).state).toBe('interrupted')
    expect(kit.messages(id).at(-1)).toMatchObject({ status: 'interrupted', parts: [{ text: 'half' }] })
    expect(kit.asked).toEqual([])
  })

  test('after the approval was spent never runs it again', async () => {
    const id = kit.chat()
    kit.askToBoil()
    kit.run.during = async () => {
      await never
    }
    await kit.say(id, 'boil', 'awaiting_approval')
    await kit.decide(kit.waiting(id), 'once')
    await vi.waitFor(() => expect(kit.ran).toHaveLength(1))
    kit = await kit.crash([{ text: 'I see' }])
    expect(kit.deps.broker.pending()).toEqual([])
    expect(kit.calls(id).at(-1)).toMatchObject({
      state: 'interrupted',
      envelope: {
        error_code: 'interrupted',
        error: expect.stringMatching(/^Satchel ended while the script ran\. It is not run again by itself\./),
        partial: { path: 'scripts/boil.sh', stdout: 'half boiled\n', stderr: 'hot\n', exit_code: null },
      },
    })
    kit.sessions.resume(id)
    await kit.until(id, 'idle')
    expect(kit.ran).toEqual([])
    expect(kit.said(id).at(-1)).toBe('assistant: I see')
  })

  test('between the click and the start of the run asks again', async () => {
    const id = kit.chat()
    kit.askToBoil()
    await kit.say(id, 'boil', 'awaiting_approval')
    const row = kit.waiting(id)
    kit.deps.db.durable(() => kit.deps.broker.approve(row))
    kit = await kit.crash()
    expect(kit.waiting(id)).toMatchObject({ revision: 2, restored: true })
    expect(kit.row(id).state).toBe('awaiting_approval')
    expect(kit.ran).toEqual([])
  })

  test('that left a request of a call that has ended closes it', async () => {
    const id = kit.chat()
    kit.askToBoil()
    await kit.say(id, 'boil', 'awaiting_approval')
    kit.deps.db.sql.exec(`UPDATE calls SET state = 'cancelled'; UPDATE sessions SET state = 'idle'`)
    kit = await kit.crash()
    expect(kit.deps.broker.pending()).toEqual([])
  })
})
