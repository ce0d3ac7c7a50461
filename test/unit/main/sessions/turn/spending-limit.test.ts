import { afterEach, expect, test, vi } from 'vitest'
import { updateSession } from '../../../../../src/main/db/session-rows'
import { startOfDay } from '../../../../../src/main/llm/spending'
import type { Answer } from '../scripted'
import { createContexts } from '../../../../../src/main/sessions/context/context-view'
import { spentIn } from '../../../../../src/main/sessions/context/meter'
import { createKit, deferred, type Kit, type KitOptions } from '../kit'

const PRICED = 'a/claude-sonnet-4-5'
/** A million tokens out: 15 dollars. */
const FIFTEEN = { inputTokens: 0, outputTokens: 1_000_000 }

let kit: Kit
afterEach(() => kit.remove())

/** A chat with one answer, given at `at`, that cost 15 dollars. */
async function spentChat(settings: NonNullable<KitOptions['settings']>, at = Date.now()): Promise<string> {
  kit = await createKit({ settings, answers: [{ text: 'dear', usage: FIFTEEN }, { text: 'more' }] })
  const id = chatWith(PRICED)
  await kit.say(id, 'first')
  kit.deps.db.sql.prepare('UPDATE spent SET at = ?').run(at)
  return id
}

function chatWith(model: string): string {
  const id = kit.chat()
  updateSession(kit.deps.db.sql, id, { model })
  return id
}

const partsOfLast = (id: string) => kit.messages(id).at(-1)?.parts

test('a chat that reached its limit makes no further call, and says why', async () => {
  const id = await spentChat({ spendingLimitChat: 15 })
  await kit.say(id, 'second')
  expect(kit.asked).toHaveLength(1)
  expect(partsOfLast(id)).toEqual([
    {
      type: 'error',
      code: 'spending_limit',
      message: 'This chat has cost about $15.00, and the limit is $15.00. No call was made.',
      action: expect.stringContaining('Raise the limit'),
    },
  ])
})

test('the limit of a day counts every chat of it', async () => {
  await spentChat({ spendingLimitDay: 10 })
  const other = chatWith(PRICED)
  await kit.say(other, 'hello')
  expect(kit.asked).toHaveLength(1)
  expect(partsOfLast(other)).toMatchObject([{ code: 'spending_limit' }])
})

test('what a deleted chat cost still counts for the day', async () => {
  const id = await spentChat({ spendingLimitDay: 10 })
  await kit.sessions.remove(id)
  const other = chatWith(PRICED)
  await kit.say(other, 'hello')
  expect(kit.asked).toHaveLength(1)
  expect(partsOfLast(other)).toMatchObject([{ code: 'spending_limit' }])
})

const COUNTED = { ...FIFTEEN, estimated: false }

test.each<[string, Answer]>([
  ['failed after the provider had counted it', { fails: 'It was empty.', used: COUNTED }],
  ['was refused by the rules of the provider', { fails: 'No.', code: 'refused', used: COUNTED }],
])('a call counts that %s', async (_why, answer) => {
  kit = await createKit({ settings: { spendingLimitChat: 15 }, answers: [answer] })
  const id = chatWith(PRICED)
  await kit.say(id, 'first')
  await kit.say(id, 'second')
  expect(kit.asked).toHaveLength(1)
  expect(partsOfLast(id)).toMatchObject([{ code: 'spending_limit' }])
  expect(spentIn(kit.deps, id)).toMatchObject({ costUsd: 15, estimated: 0 })
})

test('a call that was stopped counts by what the provider said of its input, marked as an estimate', async () => {
  const used = { inputTokens: 1_000_000, outputTokens: 0, estimated: true }
  const held = deferred()
  kit = await createKit({ answers: [{ text: 'so', hold: held.promise, used }] })
  const id = chatWith(PRICED)
  const said = kit.say(id, 'first')
  await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
  await kit.sessions.stop(id, false)
  await said
  expect(spentIn(kit.deps, id)).toMatchObject({ inputTokens: 1_000_000, costUsd: 3, estimated: 1 })
})

test('a call that nobody counted is in the sum as what was sent', async () => {
  const used = { inputTokens: null, outputTokens: 7, estimated: true }
  kit = await createKit({ answers: [{ fails: 'It broke off.', used }] })
  const id = chatWith(PRICED)
  await kit.say(id, 'first')
  const sent = createContexts(kit.deps).list(id)[0]?.tokens
  expect(sent).toBeGreaterThan(100)
  expect(spentIn(kit.deps, id)).toMatchObject({ inputTokens: sent, outputTokens: 7, estimated: 1 })
})

test('a call that a crash ended is counted as what was sent', async () => {
  kit = await createKit({ answers: [{ text: 'half', hold: deferred().promise }] })
  const id = chatWith(PRICED)
  const said = kit.say(id, 'first')
  await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
  expect(spentIn(kit.deps, id)).toMatchObject({ estimated: 1 })
  expect(spentIn(kit.deps, id).costUsd).toBeGreaterThan(0)
  await kit.sessions.stop(id, true)
  await said
})

test('a call that no provider worked on costs nothing', async () => {
  kit = await createKit({ answers: [{ fails: 'The key is wrong.', code: 'auth' }] })
  const id = chatWith(PRICED)
  await kit.say(id, 'first')
  expect(spentIn(kit.deps, id)).toMatchObject({ inputTokens: 0, costUsd: 0, estimated: 0 })
})

test.each([
  ['the limit is higher', { spendingLimitChat: 15.01 }, Date.now(), PRICED],
  ['there is none', {}, Date.now(), PRICED],
  ['the day was another', { spendingLimitDay: 10 }, startOfDay(Date.now()) - 1, PRICED],
  ['the price of the model is not known', { spendingLimitChat: 1 }, Date.now(), 'local/llama'],
])('a call is made where %s', async (_why, settings, at, model) => {
  const id = await spentChat(settings, at)
  updateSession(kit.deps.db.sql, id, { model })
  await kit.say(id, 'second')
  expect(kit.asked).toHaveLength(2)
  expect(partsOfLast(id)).toEqual([{ type: 'text', text: 'more' }])
})
