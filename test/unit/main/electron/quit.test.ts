import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQuit, quitQuestion } from '../../../../src/main/electron/quit'
import type { QuitDeps } from '../../../../src/main/electron/quit'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function setUp(deps: Partial<QuitDeps> = {}) {
  const order: string[] = []
  const spies = {
    ask: vi.fn(() => Promise.resolve(true)),
    exit: vi.fn((code: number) => void order.push(`exit ${code}`)),
    onError: vi.fn(),
  }
  const close = () => {
    order.push('close')
    return Promise.resolve()
  }
  const quit = createQuit({ running: () => ({ runs: 0, sessions: 0 }), close, ...spies, ...deps })
  return { ...spies, order, quit }
}

test('the question counts the scripts', () => {
  expect(quitQuestion({ runs: 0, sessions: 3 })).toBeNull()
  expect(quitQuestion({ runs: 1, sessions: 0 })).toBe('Stop 1 running script and quit?')
  expect(quitQuestion({ runs: 2, sessions: 1 })).toBe('Stop 2 running scripts and quit?')
})

test('without running scripts nothing is asked, and the app is closed before the process ends', async () => {
  const { quit, ask, order } = setUp()
  await quit()
  expect(ask).not.toHaveBeenCalled()
  expect(order).toEqual(['close', 'exit 0'])
})

test('a person who stays can quit later', async () => {
  const ask = vi.fn(() => Promise.resolve(false))
  const { quit, order } = setUp({ running: () => ({ runs: 1, sessions: 1 }), ask })
  await quit()
  expect(order).toEqual([])
  ask.mockResolvedValue(true)
  await quit()
  expect(order).toEqual(['close', 'exit 0'])
})

test('quitting twice closes once', async () => {
  const { quit, order } = setUp()
  await Promise.all([quit(), quit(), quit()])
  expect(order).toEqual(['close', 'exit 0'])
})

test('the process ends after three seconds, whatever closing does', async () => {
  const { quit, exit, onError } = setUp({ close: () => new Promise(() => undefined) })
  const done = quit()
  await vi.advanceTimersByTimeAsync(2999)
  expect(exit).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await done
  expect(exit).toHaveBeenCalledWith(0)
  expect(onError).toHaveBeenCalledWith('Closing took longer than 3000 ms')
})

const failures: [string, () => Promise<void>][] = [
  ['rejects', () => Promise.reject(new Error('disk'))],
  [
    'throws',
    () => {
      throw new Error('disk')
    },
  ],
]
for (const [how, close] of failures) {
  test(`the process ends also when closing ${how}`, async () => {
    const { quit, exit, onError } = setUp({ close })
    await quit()
    expect(exit).toHaveBeenCalledWith(0)
    expect(onError).toHaveBeenCalledWith('Closing failed', expect.objectContaining({ message: 'disk' }))
  })
}
