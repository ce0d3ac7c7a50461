import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonStart, listMemo } from '../../../../src/main/lib/list-memo'

const ITEMS = Array.from({ length: 8 }, (_, id) => ({ id }))
const named = (item: { id: number }, before?: { id: number }, after?: { id: number }) =>
  Array.from({ length: item.id % 3 }, () => `${before?.id ?? '-'} ${item.id} ${after?.id ?? '-'}`)

test('whatever list came before, each item is made from itself and those beside it', () => {
  const lists = fc.array(fc.array(fc.constantFrom(...ITEMS), { maxLength: 6 }), { maxLength: 12 })
  fc.assert(
    fc.property(lists, (all) => {
      const made = listMemo(named)
      for (const items of all) {
        expect(made(items)).toEqual(items.flatMap((item, at) => named(item, items[at - 1], items[at + 1])))
      }
    }),
  )
})

test('a list that grows is gone on with, and one that stays is the very list', () => {
  const asked: number[] = []
  const made = listMemo((item: { id: number }) => {
    asked.push(item.id)
    return [item]
  })
  const [a, b, c] = [ITEMS[0]!, ITEMS[1]!, ITEMS[2]!]
  const two = made([a, b])
  expect(made([a, b])).toBe(two)
  expect(made([a, b, c])).toEqual([a, b, c])
  // The last one of before has another behind it.
  expect(asked).toEqual([0, 1, 1, 2])
})

test('lists have in common what is the same from their beginning on', () => {
  expect([commonStart([1, 2, 3], [1, 2, 4]), commonStart([1], [1, 2]), commonStart([], [1])]).toEqual([
    2, 1, 0,
  ])
})
