import { expect, it } from 'vitest'
import { dollarsOf } from '../../../../src/renderer/settings/dollars'

it.each([
  ['', null],
  ['  ', null],
  ['5', 5],
  ['$2.50', 2.5],
  ['2,5', 2.5],
  ['.333', 0.33],
  ['0', 0],
  ['1e9', undefined],
  ['-1', undefined],
  ['a lot', undefined],
  ['999999999', 100_000],
])('reads %j as %j', (text, amount) => {
  expect(dollarsOf(text)).toBe(amount)
})
