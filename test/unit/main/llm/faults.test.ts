import { createServer as createTlsServer } from 'node:https'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  startFakeProvider,
  type FakeProvider,
  type FakeTurn,
  type Protocol,
} from '../../../helpers/fake-provider'
import type { LlmEvent } from '../../../../src/main/llm/types'
import { collect, fakeTiming, KEY, llmFor, PROTOCOLS, requestOf, WIRE } from './llm-kit'
import { SELF_SIGNED } from './self-signed'

let fake: FakeProvider
beforeEach(async () => {
  fake = await startFakeProvider()
})
afterEach(async () => {
  await fake.close()
})

function errorOf(events: LlmEvent[]) {
  const last = events.at(-1)
  if (last?.type !== 'error') throw new Error(`ended with ${JSON.stringify(last)}`)
  return last.error
}

const HTML = '<!doctype html><title>Sign in</title>'

/** What the provider does, and the code and words of the one error that comes of it. */
const FAULTS: { name: string; turn: FakeTurn; code: string; words: RegExp; calls?: number }[] = [
  { name: '400', turn: { status: 400, errorMessage: 'odd' }, code: 'provider', words: /refused.*"odd"/ },
  { name: '401', turn: { status: 401 }, code: 'auth', words: /did not accept the key/ },
  { name: '402', turn: { status: 402 }, code: 'billing', words: /no credit left/ },
  { name: '403', turn: { status: 403 }, code: 'auth', words: /no permission/ },
  { name: '404', turn: { status: 404 }, code: 'not_found', words: /knows no model model-a/ },
  { name: '413', turn: { status: 413 }, code: 'context_length', words: /larger than Fake takes/ },
  {
    name: '400 for a long chat',
    turn: { status: 400, errorMessage: 'prompt is too long: 210000 tokens > 200000 maximum' },
    code: 'context_length',
    words: /longer than model-a can take/,
  },
  { name: '429 for good', turn: { status: 429 }, code: 'rate_limit', words: /limit is reached/, calls: 3 },
  {
    name: '429 for an hour',
    turn: { status: 429, headers: { 'retry-after': '3600' } },
    code: 'rate_limit',
    words: /limit is reached/,
  },
  { name: 'an answer of nothing', turn: {}, code: 'bad_response', words: /sent an empty answer/ },
  {
    name: 'an answer of white space',
    turn: { text: [' ', '\n'] },
    code: 'bad_response',
    words: /sent an empty answer/,
  },
  { name: '500', turn: { status: 500 }, code: 'unavailable', words: /failed on its side/, calls: 3 },
  { name: '502', turn: { status: 502 }, code: 'unavailable', words: /failed on its side/, calls: 3 },
  { name: '503', turn: { status: 503 }, code: 'unavailable', words: /overloaded or down/, calls: 3 },
  { name: '529', turn: { status: 529 }, code: 'unavailable', words: /overloaded or down/, calls: 3 },
  {
    name: 'an error page',
    turn: { status: 400, body: HTML, contentType: 'text/html' },
    code: 'provider',
    words: /refused/,
  },
  {
    name: 'a web page',
    turn: { body: HTML, contentType: 'text/html' },
    code: 'bad_response',
    words: /web page/,
  },
  {
    name: 'a web page that says it is a stream',
    turn: { body: `\n ${HTML}`, contentType: 'text/event-stream' },
    code: 'bad_response',
    words: /web page/,
  },
  {
    name: 'JSON instead of a stream',
    turn: { body: '{"error":{"message":"no streaming here"}}' },
    code: 'bad_response',
    words: /not answer with a stream.*no streaming here/,
  },
  { name: 'an empty body', turn: { body: '' }, code: 'bad_response', words: /empty answer/ },
  {
    name: 'keep-alives only',
    turn: { body: ': ping\n\n', contentType: 'text/event-stream' },
    code: 'bad_response',
    words: /broke off/,
  },
  {
    name: 'an answer whose compression was cut',
    turn: { text: ['hello '.repeat(50)], gzip: true, cutAfter: 100 },
    code: 'bad_response',
    words: /broke off/,
  },
  {
    name: 'a reset in the middle of an event',
    turn: { text: ['hello'], cutAfter: 90, reset: true },
    code: 'connection',
    words: /closed the connection before the answer was whole\.$/,
  },
  {
    name: 'keep-alives and then an end',
    turn: { keepAlives: 20, finish: 'none' },
    code: 'bad_response',
    words: /broke off/,
  },
  {
    name: 'no JSON in an event',
    turn: { body: 'data: {oops\n\n', contentType: 'text/event-stream' },
    code: 'bad_response',
    words: /can't be read/,
  },
  {
    name: 'half an event',
    turn: { text: ['hello'], cutAfter: 60 },
    code: 'bad_response',
    words: /broke off/,
  },
  { name: 'no end', turn: { text: ['hello'], finish: 'none' }, code: 'bad_response', words: /broke off/ },
  {
    name: 'a reset',
    turn: { text: ['hello'], finish: 'none', reset: true },
    code: 'connection',
    words: /closed the connection before the answer was whole\.$/,
  },
  { name: 'a refusal', turn: { text: ['I'], finish: 'refusal' }, code: 'refused', words: /content rules/ },
  {
    name: 'an overload inside the stream',
    turn: { text: ['hello'], streamError: { type: 'overloaded_error', message: 'Overloaded' } },
    code: 'unavailable',
    words: /^Fake is overloaded or down for a while\. It said/,
  },
  {
    name: 'an overload as the first event',
    turn: { streamError: { type: 'overloaded_error', message: 'Overloaded' } },
    code: 'unavailable',
    words: /^Fake is overloaded or down for a while\. It said/,
  },
  {
    name: 'a redirect',
    turn: { status: 307, headers: { location: 'http://127.0.0.1:9/v1' }, body: '' },
    code: 'redirect',
    words: /127\.0\.0\.1:9.*did not follow/,
  },
]

describe.each(PROTOCOLS)('over %s', (protocol) => {
  it.each(FAULTS)('$name ends in one clear error', async ({ turn, code, words, calls = 1 }) => {
    fake.answerWith(() => turn)
    const events = await collect(llmFor(protocol, fake.url, { timing: fakeTiming() }).stream(requestOf()))
    const error = errorOf(events)
    expect(error.code).toBe(code)
    expect(error.message).toMatch(words)
    expect(error.action).toMatch(/^[A-Z].+\.$/)
    expect(events.filter((event) => event.type === 'error')).toHaveLength(1)
    expect(fake.requests).toHaveLength(calls)
  })

  it('keeps the text that came before a failure', async () => {
    fake.queue({ text: ['hello'], finish: 'none' })
    const events = await collect(llmFor(protocol, fake.url).stream(requestOf()))
    expect(events[0]).toEqual({ type: 'text', text: 'hello' })
  })

  it.each([429, 500, 529])('a %i is tried again and succeeds', async (status) => {
    fake.queue({ status }, { text: ['ok'] })
    const events = await collect(llmFor(protocol, fake.url, { timing: fakeTiming() }).stream(requestOf()))
    expect(events.map((event) => event.type)).toEqual(['text', 'done'])
    expect(fake.requests[1]?.body).toEqual(fake.requests[0]?.body)
  })

  it('does not wait for an hour, and says how long the provider asks for', async () => {
    fake.answerWith(() => ({ status: 429, headers: { 'retry-after': '3600' } }))
    const events = await collect(llmFor(protocol, fake.url).stream(requestOf()))
    expect(errorOf(events).action).toMatch(/^Try again in about 60 minutes/)
  })

  it('waits as long as the provider asks', async () => {
    const timing = fakeTiming()
    fake.queue({ status: 429, headers: { 'retry-after': '7' } }, { text: ['ok'] })
    await collect(llmFor(protocol, fake.url, { timing }).stream(requestOf()))
    expect(timing.waits).toContain(7350)
  })

  it('stops while it waits for the next try', async () => {
    const timing = fakeTiming({ retries: true })
    const stop = new AbortController()
    fake.queue({ status: 429, headers: { 'retry-after': '30' } })
    const log = { info: () => stop.abort(), warn: () => undefined, error: () => undefined }
    const events = await collect(
      llmFor(protocol, fake.url, { timing, log }).stream(requestOf({ signal: stop.signal })),
    )
    expect(events).toEqual([{ type: 'stopped' }])
    expect(fake.requests).toHaveLength(1)
  })

  it('does not try again once text has arrived', async () => {
    fake.queue({ text: ['hello'], finish: 'none', reset: true }, { text: ['again'] })
    await collect(llmFor(protocol, fake.url, { timing: fakeTiming() }).stream(requestOf()))
    expect(fake.requests).toHaveLength(1)
  })

  it('gives up on an answer that falls silent, and drops the request', async () => {
    const timing = fakeTiming()
    fake.queue({ text: ['hello', 'never sent'], hangAfter: WIRE[protocol].toFirstText })
    const events: LlmEvent[] = []
    for await (const event of llmFor(protocol, fake.url, { timing }).stream(requestOf())) {
      events.push(event)
      if (event.type === 'text') {
        timing.advance(59_000)
        setImmediate(() => timing.advance(1000 + timing.idleMs))
      }
    }
    expect(errorOf(events)).toMatchObject({ code: 'timeout', message: expect.stringContaining('60 s') })
    expect(events[0]).toEqual({ type: 'text', text: 'hello' })
    await fake.dropped(1)
  })

  it('gives up on a provider that does not begin to answer', async () => {
    const timing = fakeTiming()
    fake.queue({ hangAfter: -1 })
    const events = collect(llmFor(protocol, fake.url, { timing }).stream(requestOf()))
    await fake.received(1)
    timing.advance(timing.responseMs)
    expect(errorOf(await events)).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('begin'),
    })
    expect(fake.requests).toHaveLength(1)
  })

  it('says that a server can not be reached, after two more tries', async () => {
    const timing = fakeTiming()
    const url = await closedPort()
    const events = await collect(llmFor(protocol, url, { timing }).stream(requestOf()))
    expect(errorOf(events)).toMatchObject({
      code: 'connection',
      message: expect.stringContaining('ECONNREFUSED'),
    })
    expect(timing.waits.filter((ms) => ms === timing.responseMs)).toHaveLength(3)
  })

  it('says that the port of an address is blocked, and tries it once', async () => {
    const timing = fakeTiming()
    const events = await collect(llmFor(protocol, 'http://127.0.0.1:9/v1', { timing }).stream(requestOf()))
    expect(errorOf(events)).toEqual({
      code: 'connection',
      message: 'Nothing was sent to 127.0.0.1:9: this port is never used for web addresses and is blocked.',
      action: 'Enter the address with another port in Settings, Models.',
    })
    expect(timing.waits.filter((ms) => ms === timing.responseMs)).toHaveLength(1)
  })

  it.each([
    ['TypeError', 'fetch failed', 'something new', 'something new'],
    ['Error', 'net::ERR_BLOCKED_BY_ADMINISTRATOR', undefined, 'ERR_BLOCKED_BY_ADMINISTRATOR'],
  ])(
    'names the reason of a call that failed below the protocol (%s: %s)',
    async (name, message, cause, said) => {
      const error = name === 'TypeError' ? new TypeError(message) : new Error(message)
      if (cause !== undefined) error.cause = new Error(cause)
      const fetch = () => Promise.reject(error)
      const events = await collect(
        llmFor(protocol, fake.url, { fetch, timing: fakeTiming() }).stream(requestOf()),
      )
      expect(errorOf(events)).toMatchObject({ code: 'connection', message: expect.stringContaining(said) })
      expect(errorOf(events).message).not.toContain("can't be read")
    },
  )

  it.each([
    [{ status: 429, headers: { 'retry-after': '7' } }, 7350, 'Fake is busy'],
    [{ status: 503 }, 375, 'Fake is busy'],
    [{ status: 500 }, 375, 'Fake has a problem of its own'],
  ])('tells of the wait before another try after %j', async (turn, inMs, reason) => {
    const told: unknown[] = []
    fake.queue(turn, { text: ['ok'] })
    const onRetry = (retry: unknown) => void told.push(retry)
    await collect(llmFor(protocol, fake.url, { timing: fakeTiming() }).stream(requestOf({ onRetry })))
    expect(told).toEqual([{ inMs, reason }])
  })

  it('tells of the wait for a server that can not be reached', async () => {
    const told: string[] = []
    const onRetry = ({ reason }: { reason: string }) => void told.push(reason)
    const url = await closedPort()
    await collect(llmFor(protocol, url, { timing: fakeTiming() }).stream(requestOf({ onRetry })))
    expect(told).toEqual(Array(2).fill(`${new URL(url).host} can't be reached`))
  })

  it('refuses a certificate that is not trusted, without a second try', async () => {
    const timing = fakeTiming()
    let requests = 0
    const server = createTlsServer(SELF_SIGNED, (_request, response) => void response.end())
    server.on('request', () => (requests += 1))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const events = await collect(llmFor(protocol, url, { timing }).stream(requestOf()))
    server.closeAllConnections()
    server.close()
    expect(errorOf(events)).toMatchObject({ code: 'tls', message: expect.stringContaining('not trusted') })
    expect(timing.waits.filter((ms) => ms === timing.responseMs)).toHaveLength(1)
    expect(requests).toBe(0)
  })

  it('takes the key to no other host', async () => {
    const other = await startFakeProvider()
    other.answerWith(() => ({ text: ['stolen'] }))
    fake.queue({ status: 308, headers: { location: `${other.url}/messages` }, body: '' })
    await collect(llmFor(protocol, fake.url).stream(requestOf()))
    expect(other.requests).toEqual([])
    await other.close()
  })

  it('shows no key that a provider repeats', async () => {
    fake.queue({ status: 401, errorMessage: `Incorrect key ${KEY}, not sk-abcdef123456` })
    const error = errorOf(await collect(llmFor(protocol, fake.url).stream(requestOf())))
    expect(error.message).toContain('Incorrect key [key], not [key]')
  })

  it('logs a failure without a word of the chat or the key', async () => {
    const lines: unknown[] = []
    const log = {
      info: (...line: unknown[]) => void lines.push(line),
      warn: (...line: unknown[]) => void lines.push(line),
      error: (...line: unknown[]) => void lines.push(line),
    }
    fake.queue({ status: 401, errorMessage: 'secret words' })
    await collect(llmFor(protocol, fake.url, { log }).stream(requestOf()))
    expect(lines).toEqual([['model call failed', { model: 'p/model-a', code: 'auth' }]])
  })
})

it.each<[Protocol, FakeTurn, string]>([
  ['google', { status: 400, errorMessage: 'API key not valid. Please pass a valid API key.' }, 'auth'],
  [
    'google',
    {
      status: 400,
      errorMessage: 'The input token count (2000000) exceeds the maximum number of tokens allowed',
    },
    'context_length',
  ],
  [
    'openai-responses',
    { status: 429, errorMessage: 'You exceeded your current quota: insufficient_quota' },
    'billing',
  ],
  [
    'openai',
    { status: 400, errorMessage: 'the request exceeds the available context size' },
    'context_length',
  ],
])('tells what %s means with %j', async (protocol, turn, code) => {
  fake.answerWith(() => turn)
  const events = await collect(llmFor(protocol, fake.url, { timing: fakeTiming() }).stream(requestOf()))
  expect(errorOf(events).code).toBe(code)
})

/** A port on which nothing listens. */
async function closedPort(): Promise<string> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}/v1`
}
