import { afterEach, expect, test } from 'vitest'
import { createTestApp, watchChat, type TestApp } from '../../../helpers/app'

let open: TestApp | undefined
afterEach(async () => {
  await open?.remove()
  open = undefined
})

test('a message sent after a stop comes after those that were queued before it', async () => {
  const scenarios = [
    { name: 'slow', match: '^first', steps: [{ text: 'one two three', hang: true }] },
    { name: 'quick', match: '^(second|third)', steps: [{ text: 'Done.' }] },
  ]
  open = await createTestApp({ scenarios })
  const { handlers } = open.app
  const { id: sessionId } = await handlers['sessions.create']({ projectDir: null })
  const chat = watchChat(open.app, sessionId)
  await handlers['sessions.send']({ sessionId, text: 'first' })
  await chat.until('a word', (events) => events.some((event) => event.t === 'delta'))
  await handlers['sessions.send']({ sessionId, text: 'second' })
  await handlers['sessions.stop']({ sessionId, force: false })
  await handlers['sessions.send']({ sessionId, text: 'third' })
  await chat.until('the answer', (events) =>
    events.some(
      (event) =>
        event.t === 'message' && event.message.parts.some((part) => 'text' in part && part.text === 'Done.'),
    ),
  )
  const seqOf = (text: string) =>
    chat.events.findLast(
      (event) =>
        event.t === 'message' &&
        event.message.status === 'done' &&
        event.message.parts.some((part) => 'text' in part && part.text === text),
    )
  const order = ['first', 'second', 'third'].map((text) => {
    const event = seqOf(text)
    return event?.t === 'message' ? event.message.seq : Number.NaN
  })
  expect(order).toEqual([...order].sort((a, b) => a - b))
  chat.close()
})
