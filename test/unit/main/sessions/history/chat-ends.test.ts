import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SessionEvent } from '@shared/domain/session'
import { insertCall } from '../../../../../src/main/db/call-rows'
import { insertMessage, type MessageRow } from '../../../../../src/main/db/message-rows'
import { countCall } from '../../../../../src/main/db/usage-rows'
import { takeSeq, takeStep, updateSession } from '../../../../../src/main/db/session-rows'
import { succeeded } from '../../../../../src/main/sessions/turn/envelope'
import { createKit, type Kit } from '../kit'

let kit: Kit
beforeEach(async () => {
  kit = await createKit()
})
afterEach(() => kit.remove())

function add(id: string, at: number, row: Partial<MessageRow> = {}): void {
  const { sql } = kit.deps.db
  insertMessage(sql, {
    id: `msg_${at}`,
    sessionId: id,
    seq: takeSeq(sql, id),
    role: at % 2 === 0 ? 'user' : 'assistant',
    status: 'done',
    parts: [{ type: 'text', text: `Message ${at} of a long talk.` }],
    usage: at % 2 === 0 ? null : { inputTokens: 10, outputTokens: 2 },
    model: at % 2 === 0 ? null : 'anthropic/claude-sonnet-4-5',
    createdAt: at,
    providerMessages: null,
    ...row,
  })
  if (at % 2 === 0) return
  countCall(sql, { id: `mc_${at}`, sessionId: id, model: 'anthropic/claude-sonnet-4-5', inputTokens: 10, at })
}

/** A chat of so many messages and one last turn, as it is found after a restart. */
async function longChat(count: number): Promise<string> {
  const id = kit.chat()
  updateSession(kit.deps.db.sql, id, { model: 'anthropic/claude-sonnet-4-5' })
  for (let at = 0; at < count; at += 1) add(id, at)
  kit.answers.push({ text: 'It is jam.' })
  await kit.say(id, 'what is it?')
  return id
}

type Told = Exclude<SessionEvent, { t: 'delta' | 'retry' }>

/** What a window is told of a chat, up to the first event of that kind. */
async function told(id: string, until: Told['t'], first = () => {}): Promise<Told[]> {
  const closing = new AbortController()
  const found: Told[] = []
  for await (const event of kit.sessions.watch(id, closing.signal, true)) {
    found.push(event as Told)
    if (found.length === 1) first()
    else if (event.t === until) closing.abort()
  }
  return found
}

const snapshotIn = (events: readonly Told[]) => events[0] as Extract<SessionEvent, { t: 'snapshot' }>

test('a long chat that was not read yet opens with its last rows, and what all rows decide follows', async () => {
  const id = await longChat(300)
  kit = await kit.restart()
  const events = await told(id, 'session')
  const { messages, older, session } = snapshotIn(events)
  expect(messages.at(-1)!.parts).toEqual([{ type: 'text', text: 'It is jam.' }])
  expect([messages.length, session.spent, older!.before.seq]).toEqual([59, null, messages[0]!.seq])
  expect(Math.abs(older!.turns - (302 - 59) / 2)).toBeLessThan(5)
  const rest = events.at(-1) as Extract<SessionEvent, { t: 'session' }>
  expect(rest.session.spent).toMatchObject({ inputTokens: 1501, unpriced: 0 })
  expect({ ...rest.session, spent: null, context: null }).toEqual({ ...session, context: null })
  expect(kit.errors).toEqual([])
})

test('the page before such an end has every row that lies before it, and says exactly how many turns there are', async () => {
  const id = await longChat(300)
  kit = await kit.restart()
  const { older } = snapshotIn(await told(id, 'session'))
  const page = await kit.sessions.page(id, older!.before)
  expect(page.messages.map(({ seq }) => seq)).toEqual(
    Array.from({ length: older!.before.seq - 1 }, (_, at) => at + 1),
  )
  expect(page.older).toBeNull()
})

test('a page is waited for while the rows of the chat are still being read', async () => {
  const id = await longChat(900)
  kit = await kit.restart()
  let page: Promise<unknown> = Promise.resolve()
  await told(id, 'session', () => {
    page = kit.sessions.page(id, { seq: 11, step: null })
  })
  expect(await page).toMatchObject({ messages: { length: 10 }, older: null })
})

test('a short chat, and one that is read already, is shown whole', async () => {
  const short = await longChat(50)
  kit = await kit.restart()
  const long = kit.chat()
  for (let at = 100; at < 400; at += 1) add(long, at)
  await kit.sessions.page(long, { seq: 2, step: null })
  for (const id of [short, long]) {
    const closing = new AbortController()
    const { value } = await kit.sessions.watch(id, closing.signal, true)[Symbol.asyncIterator]().next()
    closing.abort()
    expect((value as Extract<SessionEvent, { t: 'snapshot' }>).session.spent).not.toBeNull()
  }
})

test('a chat with another answer near its end is shown whole, with its branches', async () => {
  const id = await longChat(300)
  kit.answers.push({ text: 'It is marmalade.' })
  await kit.sessions.retry(id, kit.messages(id).at(-1)!.id)
  await kit.until(id, 'idle')
  kit = await kit.restart()
  const closing = new AbortController()
  const { value } = await kit.sessions.watch(id, closing.signal, true)[Symbol.asyncIterator]().next()
  closing.abort()
  const { session } = value as Extract<SessionEvent, { t: 'snapshot' }>
  expect(session.branches).toMatchObject({ count: 2, at: 2, points: { length: 1 } })
})

test('readers that ask for no end first get the whole chat', async () => {
  const id = await longChat(300)
  kit = await kit.restart()
  const closing = new AbortController()
  const { value } = await kit.sessions.watch(id, closing.signal)[Symbol.asyncIterator]().next()
  closing.abort()
  expect((value as Extract<SessionEvent, { t: 'snapshot' }>).session.spent).not.toBeNull()
})

test('a message that waits in the queue far above the end is told as soon as it is found', async () => {
  const id = await longChat(2)
  add(id, 1000, { id: 'msg_waiting', status: 'queued' })
  for (let at = 2; at < 300; at += 1) add(id, at)
  kit.answers.push({ text: 'It is jam.' })
  const { sql } = kit.deps.db
  sql.prepare("UPDATE model_calls SET message_id = 'msg_299' WHERE session_id = ?").run(id)
  kit = await kit.restart()
  const events = await told(id, 'session')
  expect(snapshotIn(events).messages.map((message) => message.id)).not.toContain('msg_waiting')
  expect(events[1]).toMatchObject({ t: 'message', message: { id: 'msg_waiting', status: 'queued' } })
})

test('what another program writes while the rows are read makes readers begin anew', async () => {
  const id = await longChat(900)
  kit = await kit.restart()
  const events = await told(id, 'snapshot', () => {
    const other = new Database(join(kit.home, 'data', 'satchel.db'))
    other.prepare(`UPDATE messages SET status = 'stopped' WHERE id = 'msg_899'`).run()
    other.close()
  })
  const { messages, session } = events.at(-1) as Extract<SessionEvent, { t: 'snapshot' }>
  expect(messages.find((message) => message.id === 'msg_899')!.status).toBe('stopped')
  expect(session.spent).not.toBeNull()
})

test('the load of a skill that steps of the end belong to comes with it, however long ago it was', async () => {
  const id = kit.chat()
  updateSession(kit.deps.db.sql, id, { model: 'anthropic/claude-sonnet-4-5' })
  const { sql } = kit.deps.db
  const call = (at: number, name: string, input: Record<string, unknown>) =>
    insertCall(sql, {
      id: `call_${at}`,
      sessionId: id,
      messageId: `msg_${at}`,
      providerCallId: `toolu_${at}`,
      step: takeStep(sql, id),
      name,
      input,
      state: 'done',
      envelope: succeeded({}),
      requestId: null,
      runId: null,
      startedAt: at,
      endedAt: at,
    })
  for (let at = 0; at < 300; at += 1) {
    add(id, at)
    if (at === 1) call(at, 'skills_load', { names: ['jam'] })
    if (at === 297) call(at, 'skills_read', { path: 'a.md' })
  }
  kit.answers.push({ text: 'It is jam.' })
  await kit.say(id, 'what is it?')
  kit = await kit.restart()
  const { calls } = snapshotIn(await told(id, 'session'))
  expect(calls.map((one) => one.id)).toEqual(['call_1', 'call_297'])
})
