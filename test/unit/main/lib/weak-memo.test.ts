import { expect, test } from 'vitest'
import { weakMemo } from '../../../../src/main/lib/weak-memo'

test('the same object with the same things beside it is made once', () => {
  const made: string[] = []
  const name = weakMemo((key: { id: string }, ...beside: number[]) => {
    made.push(key.id)
    return `${key.id} ${beside.join()}`
  })
  const a = { id: 'a' }
  expect([name(a, 1, 2), name(a, 1, 2)]).toEqual(['a 1,2', 'a 1,2'])
  expect(made).toEqual(['a'])
  expect([name(a, 1), name(a, 1, 3), name({ id: 'a' }, 1, 3)]).toEqual(['a 1', 'a 1,3', 'a 1,3'])
  expect(made).toHaveLength(4)
})
