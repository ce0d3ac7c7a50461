import { afterEach, expect, test } from 'vitest'
import { listMessages, updateMessage } from '../../../../../src/main/db/message-rows'
import { updateSession } from '../../../../../src/main/db/session-rows'
import { startOfDay } from '../../../../../src/main/llm/spending'
import { createKit, type Kit, type KitOptions } from '../kit'

const PRICED = 'a/claude-sonnet-4-5'
/** A million tokens out: 15 dollars. */
const FIFTEEN = { inputTokens: 0, outputTokens: 1_000_000 }

let kit: Kit
afterEach(() => kit.remove())

/** A chat with one answer, given at `at`, that cost 15 dollars. */
async function spentChat(settings: NonNullable<KitOptions['settings']>, at = Date.now()): Promise<string> {
  kit = await createKit({ settings, answers: [{ text: 'dear' }, { text: 'more' }] })
  const id = chatWith(PRICED)
  await kit.say(id, 'first')
  const { sql } = kit.deps.db
  const answer = listMessages(sql, id).at(-1)
  if (!answer) throw new Error('there is no answer')
  kit.deps.db.durable(() => updateMessage(sql, { ...answer, usage: FIFTEEN }))
  sql.prepare('UPDATE messages SET created_at = ? WHERE id = ?').run(at, answer.id)
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
