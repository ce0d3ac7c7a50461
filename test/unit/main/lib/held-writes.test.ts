import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createHeldWrites } from '../../../../src/main/lib/held-writes'

const errors: string[] = []
const log = { info: () => undefined, warn: () => undefined, error: (message: string) => errors.push(message) }
const full = () => Object.assign(new Error('full'), { code: 'SQLITE_FULL' })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  errors.length = 0
})

it('writes by itself, in order, as soon as the disk takes it, and once', () => {
  const held = createHeldWrites(log)
  const written: string[] = []
  let isFull = true
  const write = (name: string) => () => {
    if (isFull) throw full()
    written.push(name)
  }
  held.hold('a', write('a'))
  held.hold('b', write('b'))
  vi.advanceTimersByTime(6000)
  expect([written, held.size()]).toEqual([[], 2])
  isFull = false
  vi.advanceTimersByTime(3000)
  expect([written, held.size(), vi.getTimerCount()]).toEqual([['a', 'b'], 0, 0])
  held.retry()
  expect(written).toEqual(['a', 'b'])
})

it('gives up and logs what fails for another reason, and goes on with the next', () => {
  const held = createHeldWrites(log)
  const written: string[] = []
  held.hold('a', () => {
    throw new Error('no such table')
  })
  held.hold('b', () => written.push('b'))
  held.retry()
  expect([written, held.size(), errors.length]).toEqual([['b'], 0, 1])
})

it('tries nothing by itself after it was closed', () => {
  const held = createHeldWrites(log)
  held.hold('a', () => {
    throw full()
  })
  held.close()
  expect(vi.getTimerCount()).toBe(0)
})
