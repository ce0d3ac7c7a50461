import { expect, test } from 'vitest'
import { auditWords } from '@shared/audit-words'
import { AuditAction } from '@shared/domain/audit'

const entry = (action: string, data: Record<string, unknown> = {}) =>
  auditWords({
    seq: 1,
    at: 0,
    actor: 'agent',
    action,
    sessionId: null,
    target: 'x',
    data,
    prevHash: '',
    hash: '',
  })

test.each(AuditAction.options)('%s has words of its own', (action) => {
  expect(entry(action).event).not.toContain('.')
})

test('a kind of a newer Satchel is shown by its own name', () => {
  expect(entry('moon.landed').event).toBe('moon.landed')
  expect(entry('toString').event).toBe('toString')
})

test.each([
  ['file_edit', 'Change requested'],
  ['mcp', 'MCP call requested'],
  ['script', 'Run requested'],
])('what is asked for is named: %s', (kind, words) => {
  expect(entry('request.created', { kind }).event).toBe(words)
})
