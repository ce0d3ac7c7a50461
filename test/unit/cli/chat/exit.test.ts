import { expect, test } from 'vitest'
import { exitOf, usedBetween } from '../../../../src/cli/chat/turn'

test.each([
  [{ blocked: false, answers: [] }, 0],
  [{ blocked: false, answers: ['allowed' as const] }, 0],
  [{ blocked: false, answers: ['allowed' as const, 'denied' as const] }, 3],
  [{ blocked: false, answers: ['expired' as const] }, 3],
  [{ blocked: true, answers: ['denied' as const] }, 4],
])('a turn with %j ends with %i', (end, exit) => {
  expect(exitOf(end)).toBe(exit)
})

test('what a turn cost has no noise of fractions', () => {
  const none = { inputTokens: 0, outputTokens: 0, unpriced: 0, estimated: 0, local: false }
  const used = usedBetween({ ...none, costUsd: 0.1 }, { ...none, costUsd: 0.3 })
  expect(used.costUsd).toBe(0.2)
})
