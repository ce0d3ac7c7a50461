import { expect, test } from 'vitest'
import { exitOf } from '../../../../src/cli/chat/turn'

test.each([
  [{ blocked: false, answers: [] }, 0],
  [{ blocked: false, answers: ['allowed' as const] }, 0],
  [{ blocked: false, answers: ['allowed' as const, 'denied' as const] }, 3],
  [{ blocked: false, answers: ['expired' as const] }, 3],
  [{ blocked: true, answers: ['denied' as const] }, 4],
])('a turn with %j ends with %i', (end, exit) => {
  expect(exitOf(end)).toBe(exit)
})
