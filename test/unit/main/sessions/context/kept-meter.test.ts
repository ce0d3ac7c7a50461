import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SessionEvent } from '@shared/domain/session'
import { insertMessage } from '../../../../../src/main/db/message-rows'
import { takeSeq, updateSession } from '../../../../../src/main/db/session-rows'
import { createKit, type Kit } from '../kit'

let kit: Kit
beforeEach(async () => {
  kit = await createKit()
})
afterEach(() => kit.remove())

/** What readers get of the chat until they have its details a second time. */
async function opened(id: string): Promise<Extract<SessionEvent, { t: 'session' | 'snapshot' }>[]> {
  const closing = new AbortController()
  const found: Extract<SessionEvent, { t: 'session' | 'snapshot' }>[] = []
  for await (const event of kit.sessions.watch(id, closing.signal)) {
    if (event.t === 'session' || event.t === 'snapshot') found.push(event)
    if (found.length === 2) closing.abort()
  }
  return found
}

function longChat(count: number): string {
  const id = kit.chat()
  const { sql } = kit.deps.db
  updateSession(sql, id, { model: 'anthropic/claude-sonnet-4-5' })
  for (let at = 0; at < count; at += 1) {
    const role = at % 2 === 0 ? 'user' : 'assistant'
    const parts = [{ type: 'text' as const, text: `Message ${at} of a long talk.` }]
    const rest = { usage: null, model: null, createdAt: at, providerMessages: null, status: 'done' as const }
    insertMessage(sql, { id: `msg_${at}`, sessionId: id, seq: takeSeq(sql, id), role, parts, ...rest })
  }
  return id
}

test('a long chat opens with the meter of its last call, and gets the counted one soon after', async () => {
  const id = longChat(600)
  kit.answers.push({ text: 'It is jam.', usage: { inputTokens: 9000, outputTokens: 40 } })
  await kit.say(id, 'what is it?')
  kit = await kit.restart()
  const [first, second] = (await opened(id)).map(({ session }) => session.context)
  expect(first).toMatchObject({ used: 9040, counted: false })
  expect(second).toMatchObject({ used: 9040, counted: true })
  expect(second!.conversation).toBeGreaterThan(first!.conversation)
  expect(kit.errors).toEqual([])
})

test('where the last call was made long ago it says nothing: then all is counted at once', async () => {
  const id = longChat(0)
  kit.answers.push({ text: 'It is jam.', usage: { inputTokens: 9000, outputTokens: 40 } })
  await kit.say(id, 'what is it?')
  const { sql } = kit.deps.db
  for (let at = 0; at < 600; at += 1) {
    const rest = { usage: null, model: null, createdAt: at, providerMessages: null, status: 'done' as const }
    const parts = [{ type: 'text' as const, text: 'More.' }]
    insertMessage(sql, {
      id: `more_${at}`,
      sessionId: id,
      seq: takeSeq(sql, id),
      role: 'user',
      parts,
      ...rest,
    })
  }
  kit = await kit.restart()
  const closing = new AbortController()
  const { value } = await kit.sessions.watch(id, closing.signal)[Symbol.asyncIterator]().next()
  closing.abort()
  const { conversation, used } = (value as Extract<SessionEvent, { t: 'snapshot' }>).session.context
  expect([conversation > 600, used > 9600]).toEqual([true, true])
})
