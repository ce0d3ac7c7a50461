import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssue } from '../../../../../src/main/sessions/tools/tool'

const Input = z.object({
  path: z.string().min(1),
  names: z.array(z.string()).min(1).optional(),
  limit: z.number().int().min(1).optional(),
  mode: z.enum(['add', 'replace']).optional(),
})

function said(input: unknown): string {
  const parsed = Input.safeParse(input)
  if (parsed.success) throw new Error('it is right')
  return describeIssue(parsed.error, input)
}

describe('describeIssue (S4, "Error Handling")', () => {
  test.each([
    [{}, 'Missing required parameter: path'],
    [{ path: 5 }, 'Invalid parameter type: expected string, got integer for "path"'],
    [{ path: 1.5 }, 'Invalid parameter type: expected string, got number for "path"'],
    [{ path: null }, 'Invalid parameter type: expected string, got null for "path"'],
    [{ path: ['a'] }, 'Invalid parameter type: expected string, got array for "path"'],
    [{ path: 'a', names: 'b' }, 'Invalid parameter type: expected array, got string for "names"'],
    [{ path: 'a', names: [true] }, 'Invalid parameter type: expected string, got boolean for "names.0"'],
    ['text', 'Invalid parameter type: expected object, got string'],
  ])('%j: %s', (input, expected) => {
    expect(said(input)).toBe(`${expected}. Correct the input and call again.`)
  })

  test.each([
    [{ path: '' }, '"path": it must have at least 1 character'],
    [{ path: 'a', names: [] }, '"names": it must have at least 1 item'],
    [{ path: 'a', limit: 0 }, '"limit": it must be at least 1'],
    [{ path: 'a', mode: 'x' }, '"mode": it must be one of add, replace'],
  ])('%j: %s', (input, expected) => {
    expect(said(input)).toBe(`${expected}. Correct the input and call again.`)
  })

  test.each([{ path: '' }, { path: 'a', limit: 0 }, { path: 'a', mode: 'x' }])(
    'names the parameter whose value is wrong: %j',
    (input) => {
      expect(said(input)).toMatch(/^"(path|limit|mode)": .+\. Correct the input and call again\.$/)
    },
  )
})
