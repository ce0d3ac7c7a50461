import { expect, test } from 'vitest'
import { faultTable } from '../../../scripts/lib/fault-table.mjs'

const document = 'before\n<!-- faults: written by npm run faults -->\nold\n<!-- /faults -->\nafter\n'
const cell = { point: 'db.before-commit', kind: 'kill', went: 'on', faults: [] as string[] }

test('the table replaces the earlier one and nothing else', () => {
  const made = faultTable(document, [cell])
  expect(made).toContain('| db.before-commit | goes on | not tried | not tried | not tried |')
  expect(made).not.toContain('old')
  expect(made.startsWith('before\n')).toBe(true)
  expect(made.endsWith('\nafter\n')).toBe(true)
})

test('a broken promise is in its cell and in the sum', () => {
  const made = faultTable(document, [cell, { ...cell, kind: 'full', faults: ['I1 a | b'] }])
  expect(made).toContain('1 points, 2 faults planted, 1 without a broken promise.')
  expect(made).toContain('I1 a \\| b')
})

test('a document without a place for it is refused', () => {
  expect(() => faultTable('nothing', [cell])).toThrow('no place')
})
