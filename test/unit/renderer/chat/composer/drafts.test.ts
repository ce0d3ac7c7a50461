import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDrafts, PAUSE_MS } from '../../../../../src/renderer/chat/composer/drafts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function collect() {
  const saved: [string, string][] = []
  const drafts = createDrafts((id, text) => Promise.resolve(void saved.push([id, text])))
  return { saved, drafts }
}

test('a pause in typing saves once, with the last text', () => {
  const { saved, drafts } = collect()
  drafts.write('s1', 'h')
  vi.advanceTimersByTime(PAUSE_MS - 1)
  drafts.write('s1', 'hi')
  vi.advanceTimersByTime(PAUSE_MS - 1)
  expect(saved).toEqual([])
  vi.advanceTimersByTime(1)
  expect(saved).toEqual([['s1', 'hi']])
})

test('leaving saves at once, and only what is not saved yet', () => {
  const { saved, drafts } = collect()
  drafts.write('s1', 'hi')
  drafts.flush('s1')
  drafts.flush('s1')
  vi.advanceTimersByTime(PAUSE_MS * 2)
  expect(saved).toEqual([['s1', 'hi']])
})

test('two chats do not touch each other', () => {
  const { saved, drafts } = collect()
  drafts.write('s1', 'one')
  drafts.write('s2', 'two')
  vi.advanceTimersByTime(PAUSE_MS)
  expect(saved).toEqual([
    ['s1', 'one'],
    ['s2', 'two'],
  ])
})

test('emptying the box while a message is on its way leaves the saved draft alone', () => {
  const { saved, drafts } = collect()
  drafts.write('s1', 'hello')
  drafts.clearShown('s1')
  vi.advanceTimersByTime(PAUSE_MS * 2)
  expect(drafts.store.getState().texts['s1']).toBe('')
  expect(saved).toEqual([])
})

test('a draft that could not be saved is tried again', async () => {
  let tries = 0
  const drafts = createDrafts(() => {
    tries += 1
    return tries === 1 ? Promise.reject(new Error('busy')) : Promise.resolve()
  })
  drafts.write('s1', 'hi')
  await vi.advanceTimersByTimeAsync(PAUSE_MS)
  await vi.advanceTimersByTimeAsync(PAUSE_MS)
  expect(tries).toBe(2)
})
