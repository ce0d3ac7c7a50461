import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLook, endOfRequest, expireOld, extendRequest } from '../../../../src/main/app/follow-time'
import type { Policy } from '../../../../src/main/policy/policy-file'
import type { RequestRow } from '../../../../src/main/db/request-rows'
import { createKit, type Kit } from '../sessions/kit'

let kit: Kit
let chat: string
let waiting: RequestRow
beforeEach(async () => {
  kit = await createKit()
  chat = kit.chat()
  kit.askToBoil([{ text: 'done' }])
  await kit.say(chat, 'boil', 'awaiting_approval')
  waiting = kit.waiting(chat)
})
afterEach(async () => {
  expect(kit.errors).toEqual([])
  await kit.remove()
})

const LIMIT: Policy = { version: 1, organisation: 'Northwind', request_timeout_minutes: 2 }

/** So long after the request was made. */
const after = (ms: number, policy: Policy | null = LIMIT) => ({
  ...kit.deps,
  policy: { now: () => ({ policy }) as never },
  expire: kit.sessions.expire,
  events: { emit: kit.deps.emit },
  now: () => waiting.createdAt + ms,
})

test('a request ends where the policy says so, is told apart from a refusal, and nothing runs', async () => {
  await expireOld(after(119_000))
  expect(kit.deps.broker.get(waiting.id)?.status).toBe('pending')
  await expireOld(after(120_000))
  await kit.until(chat, 'idle')
  expect(kit.deps.broker.get(waiting.id)).toMatchObject({ status: 'expired', decidedBy: null })
  expect(kit.calls(chat).at(-1)?.envelope?.error_code).toBe('expired')
  expect(kit.ran).toEqual([])
})

test('it never ends without such a policy', async () => {
  await expireOld(after(1e12, null))
  await expireOld(after(1e12, { version: 1 }))
  expect(kit.deps.broker.get(waiting.id)?.status).toBe('pending')
})

test('a person gives it more time, which another start knows, and it is never allowed by time', async () => {
  expect(extendRequest(after(119_000), waiting.id)).toBe(waiting.createdAt + 420_000)
  expect(kit.actions()).toContain('request.extended')
  kit = await kit.restart()
  const row = kit.deps.broker.get(waiting.id)!
  expect(endOfRequest(after(0), row)).toBe(waiting.createdAt + 420_000)
  await expireOld(after(419_000))
  expect(kit.deps.broker.get(waiting.id)?.status).toBe('pending')
  await expireOld(after(420_000))
  expect(kit.deps.broker.get(waiting.id)?.status).toBe('expired')
  await kit.until(chat, 'idle')
  expect(kit.ran).toEqual([])
})

test('what was answered can not be extended', async () => {
  await kit.decide(waiting, 'deny')
  await kit.until(chat, 'idle')
  expect(() => extendRequest(after(0), waiting.id)).toThrow('does not wait')
  expect(kit.actions()).not.toContain('request.extended')
})

test('the time that the computer slept is given back before anything ends, also for the next start', async () => {
  let ms = 60_000
  const look = createLook({ ...after(0), now: () => waiting.createdAt + ms })
  ms += 10_000
  await look()
  expect(kit.actions()).not.toContain('request.extended')
  // An hour of sleep: the look of ten seconds later comes after it.
  ms += 3_610_000
  await look()
  expect(kit.deps.broker.get(waiting.id)?.status).toBe('pending')
  expect(endOfRequest(after(0), waiting)).toBe(waiting.createdAt + 120_000 + 3_600_000)
  ms += 20_000
  await look()
  expect(kit.deps.broker.get(waiting.id)?.status).toBe('pending')
  ms += 30_000
  await look()
  expect(kit.deps.broker.get(waiting.id)?.status).toBe('expired')
  await kit.until(chat, 'idle')
  expect(kit.ran).toEqual([])
})
