import * as fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { AppError } from '@shared/errors'
import type { Handlers } from '@shared/ipc/define'
import { CREDITS } from '@shared/ipc/protocol'
import { link } from './link'
import type { Link, TestContract } from './link'

const open: Link[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

/** Ends of streams and numbers that the source has made. */
const source = { made: 0, ended: 0 }

const handlers: Handlers<TestContract> = {
  add: ({ a, b }) => a + b,
  fail({ kind }) {
    if (kind === 'app') throw new AppError('stale', 'It changed. Look again.', { revision: 2 })
    if (kind === 'full') throw Object.assign(new Error('write /secret/path'), { code: 'ENOSPC' })
    throw new Error('cannot read /secret/path')
  },
  wrong: () => ({ name: 7 }) as never,
  slow: () => new Promise(() => undefined),
  async *count({ to }) {
    try {
      for (let n = 1; n <= to; n += 1) {
        source.made = n
        yield n
      }
    } finally {
      source.ended += 1
    }
  },
  async *forever(_input, signal) {
    try {
      for (let n = 1; !signal.aborted; n += 1) {
        source.made = n
        yield n
        await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      source.ended += 1
    }
  },
}

function start(options?: Parameters<typeof link>[1]): Link {
  Object.assign(source, { made: 0, ended: 0 })
  const made = link(handlers, options)
  open.push(made)
  return made
}

/** Sends messages the client would not send, and waits for the answer to the last one. */
async function send({ raw, client }: Link, ...messages: unknown[]): Promise<unknown[]> {
  const answers: unknown[] = []
  raw.onMessage((message) => answers.push(message))
  for (const message of messages) raw.post(message)
  await client.call('add', { a: 1, b: 1 })
  return answers.slice(0, -1)
}

test('a call is answered', async () => {
  expect(await start().client.call('add', { a: 2, b: 3 })).toBe(5)
})

test('calls that cross each other get their own answers', async () => {
  const { client } = start()
  const sums = await Promise.all(Array.from({ length: 50 }, (_, n) => client.call('add', { a: n, b: n })))
  expect(sums).toEqual(Array.from({ length: 50 }, (_, n) => 2 * n))
})

test('an AppError arrives with code, sentence and details', async () => {
  await expect(start().client.call('fail', { kind: 'app' })).rejects.toMatchObject({
    name: 'AppError',
    code: 'stale',
    message: 'It changed. Look again.',
    details: { revision: 2 },
  })
})

test('the text of every other error stays behind and is reported', async () => {
  const made = start()
  await expect(made.client.call('fail', { kind: 'bug' })).rejects.toMatchObject({
    code: 'internal',
    message: 'Satchel hit an error of its own. The log file has the details.',
  })
  expect(made.internalErrors).toMatchObject([
    { name: 'fail', error: { message: 'cannot read /secret/path' } },
  ])
})

test('a full disk is told as such, without the path', async () => {
  await expect(start().client.call('fail', { kind: 'full' })).rejects.toMatchObject({
    code: 'disk_full',
    message: expect.not.stringContaining('/secret/path') as string,
  })
})

test('an answer that breaks the contract is an internal error where answers are checked', async () => {
  await expect(start({ checkOutput: true }).client.call('wrong', {})).rejects.toMatchObject({
    code: 'internal',
  })
})

const badRequests = [
  ['an unknown name', { t: 'call', id: 9, name: 'nope', input: {} }, 'error', 'bad_input'],
  ['__proto__', { t: 'call', id: 9, name: '__proto__', input: {} }, 'error', 'bad_input'],
  ['constructor', { t: 'call', id: 9, name: 'constructor', input: {} }, 'error', 'bad_input'],
  ['toString as a stream', { t: 'open', id: 9, name: 'toString', input: {} }, 'end', 'bad_input'],
  ['a stream as a call', { t: 'call', id: 9, name: 'count', input: { to: 1 } }, 'error', 'bad_input'],
  ['a call as a stream', { t: 'open', id: 9, name: 'add', input: { a: 1, b: 1 } }, 'end', 'bad_input'],
  ['NaN', { t: 'call', id: 9, name: 'add', input: { a: NaN, b: 1 } }, 'error', 'bad_input'],
  ['a wrong type', { t: 'call', id: 9, name: 'add', input: { a: '1', b: 1 } }, 'error', 'bad_input'],
  ['null', { t: 'call', id: 9, name: 'add', input: null }, 'error', 'bad_input'],
  [
    'over 1 MB',
    { t: 'call', id: 9, name: 'fail', input: { kind: 'x'.repeat(1_000_001) } },
    'error',
    'too_large',
  ],
] as const
for (const [what, message, t, code] of badRequests) {
  test(`${what} is answered with ${code}, and the next call works`, async () => {
    expect(await send(start(), message)).toMatchObject([{ t, id: 9, error: { code } }])
  })
}

test('what holds a circle or a big integer is refused without a crash', async () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  const answers = await send(
    start(),
    { t: 'call', id: 8, name: 'add', input: circle },
    { t: 'call', id: 9, name: 'add', input: { a: 1n } },
  )
  expect(answers).toMatchObject([
    { t: 'error', id: 8, error: { code: 'bad_input' } },
    { t: 'error', id: 9, error: { code: 'bad_input' } },
  ])
})

const noRequests = [
  ['a number', 7],
  ['null', null],
  ['an unknown kind', { t: 'exec', id: 1 }],
  ['an extra key', { t: 'call', id: 1, name: 'add', input: {}, evil: 1 }],
  ['a broken id', { t: 'call', id: 1.5, name: 'add', input: {} }],
  ['a name of 65 characters', { t: 'call', id: 1, name: 'x'.repeat(65), input: {} }],
  ['credits beyond the limit', { t: 'credit', id: 1, n: CREDITS + 1 }],
  ['a close of nothing', { t: 'close', id: 404 }],
] as const
for (const [what, message] of noRequests) {
  test(`${what} is dropped, and the next call works`, async () => {
    expect(await send(start(), message)).toEqual([])
  })
}

test('whatever arrives, the next call works', async () => {
  const made = start()
  await fc.assert(
    fc.asyncProperty(fc.anything({ withBigInt: true, withDate: true, withMap: true }), async (junk) => {
      try {
        made.raw.post(junk)
      } catch {
        return // can not cross a port at all
      }
      expect(await made.client.call('add', { a: 1, b: 2 })).toBe(3)
    }),
    { numRuns: 100 },
  )
})

test('a flood is refused as busy, and every request of it is answered', async () => {
  const { client } = start({ ratePerSecond: 50 })
  const calls = Array.from({ length: 200 }, () => client.call('add', { a: 1, b: 1 }))
  const results = await Promise.allSettled(calls)
  const done = results.filter((result) => result.status === 'fulfilled').length
  const busy = results.filter(
    (result) => result.status === 'rejected' && result.reason.code === 'busy',
  ).length
  expect(done).toBeGreaterThanOrEqual(50)
  expect(busy).toBeGreaterThan(0)
  expect(done + busy).toBe(200)
})

test('a stream brings every value in order and ends', async () => {
  const { client } = start()
  const values: number[] = []
  const error = await new Promise((end) =>
    client.stream('count', { to: 500 }, { event: (value) => void values.push(value), end }),
  )
  expect(values).toEqual(Array.from({ length: 500 }, (_, n) => n + 1))
  expect(error).toBeUndefined()
})

test('a reader that stalls stops the source, and it goes on when the reader does', async () => {
  const { client } = start()
  let wake: () => void = () => undefined
  const stalled = new Promise<void>((resolve) => {
    wake = resolve
  })
  const values: number[] = []
  const ended = new Promise((end) =>
    client.stream('count', { to: 500 }, { event: (value) => (values.push(value), stalled), end }),
  )
  await vi.waitFor(() => expect(values.length).toBe(CREDITS))
  // Each answer to a call gives the source another chance to run ahead.
  for (let n = 0; n < 20; n += 1) await client.call('add', { a: 1, b: 1 })
  expect(source.made).toBeLessThanOrEqual(34)

  wake()
  await ended
  expect(values.length).toBe(500)
})

test('closing a stream ends its source', async () => {
  const { client } = start()
  let close: () => void = () => undefined
  await new Promise<void>((seen) => {
    close = client.stream('forever', {}, { event: (value) => void (value === 3 && seen()) })
  })
  close()
  await vi.waitFor(() => expect(source.ended).toBe(1))
})

test('closing a stream that waits for credit ends its source too', async () => {
  const { client } = start()
  const values: number[] = []
  const close = client.stream(
    'count',
    { to: 500 },
    { event: (value) => (values.push(value), new Promise<void>(() => 0)) },
  )
  await vi.waitFor(() => expect(values.length).toBe(CREDITS))
  close()
  await vi.waitFor(() => expect(source.ended).toBe(1))
})

test('when the port closes, open calls are refused, streams end and their sources stop', async () => {
  const made = start()
  const call = made.client.call('slow', {})
  const ended = new Promise<Error | undefined>((end) => {
    made.client.stream('forever', {}, { event: (value) => void (value === 2 && made.close()), end })
  })
  await expect(call).rejects.toMatchObject({ code: 'cancelled' })
  expect(await ended).toMatchObject({ code: 'cancelled' })
  await vi.waitFor(() => expect(source.ended).toBe(1))
})

test('an error in a stream reaches its reader typed', async () => {
  const failing = link({
    ...handlers,
    async *count() {
      yield 1
      throw new AppError('not_found', 'It is gone.')
    },
  })
  open.push(failing)
  const error = await new Promise((end) =>
    failing.client.stream('count', { to: 1 }, { event: () => undefined, end }),
  )
  expect(error).toMatchObject({ code: 'not_found', message: 'It is gone.' })
})
