import { expect, test } from 'vitest'
import { oncePerWork } from '../../../../src/main/lib/once-per-work'

test('is read once for all who ask in one piece of work, and again in the next', async () => {
  let reads = 0
  const value = oncePerWork(() => ++reads)
  expect([value.get(), value.get()]).toEqual([1, 1])
  await Promise.resolve()
  expect(value.get()).toBe(2)
})

test('is read again when it was changed meanwhile', () => {
  let reads = 0
  const value = oncePerWork(() => ++reads)
  value.get()
  value.forget()
  expect(value.get()).toBe(2)
})
