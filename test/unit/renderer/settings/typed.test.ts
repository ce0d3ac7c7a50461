import { expect, it } from 'vitest'
import { dollarsIn, numberIn } from '../../../../src/renderer/settings/typed'

it.each([
  ['700', { value: 700 }],
  ['650.6', { value: 651 }],
  ['2000', { value: 2000 }],
  ['10', { problem: 'At least 300 ms.' }],
  ['9999', { problem: 'At most 2000 ms.' }],
  ['', { problem: 'Enter a number from 300 to 2000.' }],
  ['abc', { problem: 'Enter a number from 300 to 2000.' }],
])('reads the number %j as %j', (text, typed) => {
  expect(numberIn(text, { min: 300, max: 2000, unit: 'ms' })).toEqual(typed)
})

const NO_AMOUNT = { problem: 'Enter an amount such as 2.50, or nothing.' }

it.each([
  ['', { value: null }],
  ['  ', { value: null }],
  ['5', { value: 5 }],
  ['$2.50', { value: 2.5 }],
  ['2,5', { value: 2.5 }],
  ['.333', { value: 0.33 }],
  ['0', { value: 0 }],
  ['1e9', NO_AMOUNT],
  ['-1', NO_AMOUNT],
  ['a lot', NO_AMOUNT],
  ['100000', { value: 100_000 }],
  ['999999999', { problem: 'At most 100000 US$.' }],
])('reads the amount %j as %j', (text, typed) => {
  expect(dollarsIn(text)).toEqual(typed)
})
