import { describe, expect, it } from 'vitest'
import { moveRow, typeAhead } from '../../../../../src/renderer/skills/list/grid-keys'

describe('moveRow', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 29, 29],
    ['ArrowUp', 0, 0],
    ['ArrowUp', 5, 4],
    ['PageDown', 5, 15],
    ['PageUp', 5, 0],
    ['Home', 9, 0],
    ['End', 9, 29],
    ['Enter', 9, null],
    ['a', 9, null],
  ])('%s from row %i goes to %s', (key, index, to) => {
    expect(moveRow(key, index, 30)).toBe(to)
  })

  it('goes nowhere in an empty list', () => {
    expect(moveRow('ArrowDown', 0, 0)).toBeNull()
  })
})

describe('typeAhead', () => {
  const names = ['alpha', 'beta', 'bravo', 'gamma']

  it.each([
    [0, 'b', 1],
    [1, 'b', 2],
    [2, 'b', 1],
    [1, 'br', 2],
    [0, 'G', 3],
    [0, 'x', null],
    [3, 'a', 0],
  ])('from row %i typing %j goes to %s', (index, typed, to) => {
    expect(typeAhead(names, index, typed)).toBe(to)
  })
})
