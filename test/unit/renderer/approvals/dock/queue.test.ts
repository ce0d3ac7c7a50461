import { expect, test } from 'vitest'
import { nextInQueue, shownInDock } from '../../../../../src/renderer/approvals/dock/queue'
import { makeRequest } from '../requests'

const waits = (id: string, sessionId: string) => makeRequest({ id, sessionId })
const pending = [waits('old', 'a'), waits('b1', 'b'), waits('b2', 'b')]

test.each([
  ['a', null, 'old'],
  ['b', null, 'b1'],
  ['b', 'b2', 'b2'],
  ['b', 'old', 'b1'],
  ['b', 'gone', 'b1'],
  ['c', 'b2', undefined],
])('the dock of chat %s, led to %s, shows %s', (sessionId, docked, id) => {
  expect(shownInDock(pending, sessionId, docked)?.id).toBe(id)
})

test.each([
  ['old', 'b1'],
  ['b1', 'b2'],
  ['b2', 'old'],
])('after %s comes %s, of whatever chat', (id, next) => {
  expect(nextInQueue(pending, id)?.id).toBe(next)
})

test('a request that waits alone has none after it', () => {
  expect(nextInQueue([waits('one', 'a')], 'one')).toBeUndefined()
})
