import { expect, test } from 'vitest'
import { createFrameQueue } from '../../../../src/renderer/stores/frame-queue'

function manual() {
  const waiting: (() => void)[] = []
  return {
    schedule: (run: () => void) => void waiting.push(run),
    frame: () => waiting.splice(0).forEach((run) => run()),
    waiting,
  }
}

test('everything that arrives before a frame is delivered at once, in order', () => {
  const { schedule, frame, waiting } = manual()
  const batches: number[][] = []
  const queue = createFrameQueue<number>((items) => batches.push(items), schedule)
  for (const n of [1, 2, 3]) void queue.add(n)
  expect(waiting.length).toBe(1)
  expect(batches).toEqual([])
  frame()
  void queue.add(4)
  frame()
  expect(batches).toEqual([[1, 2, 3], [4]])
})

test('the sender gets its credit back only after the delivery', async () => {
  const { schedule, frame } = manual()
  let credited = false
  const queue = createFrameQueue<number>(() => undefined, schedule)
  const added = queue.add(1).then(() => (credited = true))
  await Promise.resolve()
  expect(credited).toBe(false)
  frame()
  await added
  expect(credited).toBe(true)
})

test('a delivery that throws still gives the credit back', async () => {
  const { schedule, waiting } = manual()
  const queue = createFrameQueue<number>(() => {
    throw new Error('broken')
  }, schedule)
  const added = queue.add(1)
  expect(() => waiting.splice(0).forEach((run) => run())).toThrow('broken')
  await expect(added).resolves.toBeUndefined()
})
