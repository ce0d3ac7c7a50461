import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sseEvents, startFakeProvider, type FakeProvider } from '../../../helpers/fake-provider'
import { collect, fakeTiming, llmFor, PROTOCOLS, requestOf, type FakeTiming } from './llm-kit'

let fake: FakeProvider
beforeEach(async () => {
  fake = await startFakeProvider()
})
afterEach(async () => {
  await fake.close()
})

describe.each(PROTOCOLS)('an odd stream over %s', (protocol) => {
  it('gives up on a provider that only keeps the connection alive', async () => {
    const timing = fakeTiming()
    const fetch = slowly(timing, Array<string>(100).fill(': keep-alive\n\n'))
    const events = await collect(llmFor(protocol, fake.url, { fetch, timing }).stream(requestOf()))
    expect(events).toEqual([
      {
        type: 'error',
        error: expect.objectContaining({ code: 'timeout', message: expect.stringContaining('300 s') }),
        used: { inputTokens: null, outputTokens: 0, estimated: true },
      },
    ])
  })

  it('waits through signs of life for an answer that comes', async () => {
    const timing = fakeTiming()
    const alive = [': keep-alive\n\n', ': and another\n\n'].flatMap((line) => Array<string>(5).fill(line))
    const fetch = slowly(timing, [...alive, sseEvents(protocol, { text: ['here'] }).join('')])
    const events = await collect(llmFor(protocol, fake.url, { fetch, timing }).stream(requestOf()))
    expect(events.map(({ type }) => type)).toEqual(['text', 'done'])
  })

  it('knows whether an answer is whole that lacks the mark behind its end', async () => {
    fake.queue({ text: ['whole'], noDone: true })
    const events = await collect(llmFor(protocol, fake.url).stream(requestOf()))
    // The last event of Anthropic is part of its protocol; the one of Chat Completions says nothing more.
    expect(events.map(({ type }) => type)).toEqual(['text', protocol === 'anthropic' ? 'error' : 'done'])
  })

  it('reads a compressed answer', async () => {
    fake.queue({ text: ['small'], gzip: true })
    const events = await collect(llmFor(protocol, fake.url).stream(requestOf()))
    expect(events[0]).toEqual({ type: 'text', text: 'small' })
  })

  it('never mixes the arguments of two calls that came under one index', async () => {
    const calls = ['one', 'two'].map((id) => ({ id, name: 'skills_read', input: { path: id } }))
    fake.queue({ toolCalls: calls, sameIndex: true })
    const events = await collect(llmFor(protocol, fake.url).stream(requestOf()))
    for (const event of events) {
      if (event.type !== 'tool-call' || event.input === undefined) continue
      expect(event.input).toEqual({ path: event.providerCallId })
    }
  })
})

it('takes the pings of Anthropic for signs of life only', async () => {
  const timing = fakeTiming()
  const ping = 'event: ping\ndata: {"type": "ping"}\n\n'
  const fetch = slowly(timing, Array<string>(100).fill(ping))
  const events = await collect(llmFor('anthropic', fake.url, { fetch, timing }).stream(requestOf()))
  expect(events).toMatchObject([{ type: 'error', error: { code: 'timeout' } }])
})

/** `fetch` whose answer comes in these pieces, 20 s apart. */
function slowly(timing: FakeTiming, pieces: string[]): typeof fetch {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      timing.advance(20_000)
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(Buffer.from(piece))
    },
  })
  return () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
}
