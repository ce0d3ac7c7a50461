import { expect, test } from 'vitest'
import { lastSaid } from '../../../../../src/renderer/chat/transcript/editing'
import { message } from '../../chat-fixtures'

test('what is edited is what the person said last, not what waits in the queue', () => {
  const list = [
    message('u1', 1, { role: 'user' }),
    message('a1', 2),
    message('n1', 3, { role: 'note' }),
    message('u2', 4, { role: 'user', status: 'queued' }),
  ]
  const messages = Object.fromEntries(list.map((entry) => [entry.id, entry]))
  expect(lastSaid({ order: list.map(({ id }) => id), messages })?.id).toBe('u1')
  expect(lastSaid({ order: [], messages: {} })).toBeUndefined()
})
