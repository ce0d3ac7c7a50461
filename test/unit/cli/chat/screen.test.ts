import { expect, test } from 'vitest'
import { stepLine } from '../../../../src/cli/chat/screen'
import { call, success } from '../../renderer/chat-fixtures'

test.each([
  [{ content: 'ok', is_error: false }, '✓ mcp__tickets__list'],
  [{ content: 'no', is_error: true }, '✗ mcp__tickets__list: its server calls the result an error'],
])('a step with the result %j is told as "%s"', (result, text) => {
  expect(stepLine(call(1, 'mcp__tickets__list', { input: {}, envelope: success(result) }))?.text).toBe(text)
})
