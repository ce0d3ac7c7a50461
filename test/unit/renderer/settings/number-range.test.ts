import { expect, it } from 'vitest'
import { inRange } from '../../../../src/renderer/settings/number-range'

it.each([
  ['700', 700],
  ['10', 300],
  ['9999', 2000],
  ['650.6', 651],
  ['', null],
  ['abc', null],
])('reads %j as %s', (text, value) => {
  expect(inRange(text, 300, 2000)).toBe(value)
})
