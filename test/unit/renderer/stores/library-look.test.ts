import { expect, it } from 'vitest'
import { readLook } from '../../../../src/renderer/stores/library-look'

const stored = (value: unknown) => ({ getItem: () => JSON.stringify(value) })

it('reads back what has the right shape', () => {
  const look = { hidden: ['runs'], widths: { from: 120 }, density: 'compact' }
  expect(readLook(stored(look))).toEqual(look)
})

it.each([
  [null, {}],
  [7, {}],
  [{ hidden: ['nothing', 'runs', 3] }, { hidden: ['runs'] }],
  [{ widths: { from: -5, status: 'wide', name: 100, runs: 4000 } }, { widths: {} }],
  [{ density: 'tiny' }, {}],
])('leaves out what has not: %j', (value, look) => {
  expect(readLook(stored(value))).toEqual(look)
})

it('begins as on the first day where nothing can be read', () => {
  expect(readLook({ getItem: () => '{' })).toEqual({})
  expect(readLook(undefined)).toEqual({})
})
