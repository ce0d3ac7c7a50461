import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sseEvents, type FakeTurn, type Protocol } from '../../../helpers/fake-provider'
import type { LlmEvent } from '../../../../src/main/llm/types'
import { collect, fakeTiming, fetchOf, joined, llmFor, PROTOCOLS, requestOf, WIRE } from './llm-kit'

const TURN: FakeTurn = {
  reasoning: ['Hm — ', '日本語 '],
  signature: 'sig',
  text: ['Grüße, ', '🧭 ', 'line\nbreak "quoted"'],
  toolCalls: [
    { id: 'a', name: 'skills_read', input: { path: 'references/ünïcode 🧭.md' } },
    { id: 'b', name: 'skills_read', input: { path: 'x', deep: { list: [1, 'two', null] } } },
  ],
}

/** Bytes from one cut to the next; the long tests cut at every byte. */
const EVERY = process.env['SATCHEL_TEST_LONG'] ? 1 : 4

function bytesOf(protocol: Protocol, turn: FakeTurn, ending = '\n'): Uint8Array {
  return Buffer.from(sseEvents(protocol, turn).join('').replaceAll('\n', ending))
}

async function eventsOf(protocol: Protocol, bytes: Uint8Array, cuts: number[] = []): Promise<LlmEvent[]> {
  const llm = llmFor(protocol, 'https://fake.example/v1', {
    fetch: fetchOf(bytes, cuts),
    timing: fakeTiming(),
  })
  return joined(await collect(llm.stream(requestOf())))
}

describe.each(PROTOCOLS)('a stream over %s', (protocol) => {
  it('gives the same events however its bytes are cut', async () => {
    const bytes = bytesOf(protocol, TURN)
    const whole = await eventsOf(protocol, bytes)
    expect(whole.map((event) => event.type)).toEqual(['reasoning', 'text', 'tool-call', 'tool-call', 'done'])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 40 }), async (cuts) => {
        expect(await eventsOf(protocol, bytes, cuts)).toEqual(whole)
      }),
      { numRuns: 40, seed: 2 },
    )
  })

  it('gives the same events byte by byte', async () => {
    const bytes = bytesOf(protocol, TURN)
    const every = Array.from({ length: bytes.length }, (_, index) => index)
    expect(await eventsOf(protocol, bytes, every)).toEqual(await eventsOf(protocol, bytes))
  })

  it('gives the same events when its bytes come in pieces of sixteen, begun at any byte', async () => {
    const bytes = bytesOf(protocol, TURN)
    const whole = await eventsOf(protocol, bytes)
    for (let start = 1; start <= 16; start += 1) {
      const cuts = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, index) => start + 16 * index)
      expect(await eventsOf(protocol, bytes, cuts)).toEqual(whole)
    }
  })

  it.each([
    ['CRLF', '\r\n', ''],
    ['CR', '\r', ''],
    ['a byte order mark', '\n', '\u{feff}'],
    ['comments', '\n', ': hello\n\n'],
  ])('reads %s', async (_name, ending, prefix) => {
    const plain = await eventsOf(protocol, bytesOf(protocol, TURN))
    const bytes = Buffer.concat([Buffer.from(prefix), bytesOf(protocol, TURN, ending)])
    expect(await eventsOf(protocol, bytes, [1, 2, 3, 50])).toEqual(plain)
  })

  it.each(['', '\n'])('reads a last event that ends with %j only', async (end) => {
    const plain = await eventsOf(protocol, bytesOf(protocol, TURN))
    const text = sseEvents(protocol, TURN).join('').trimEnd() + end
    expect(await eventsOf(protocol, Buffer.from(text))).toEqual(plain)
  })

  it('reads a line of ten million characters', async () => {
    const text = 'x'.repeat(10_000_000)
    const [first] = await eventsOf(protocol, bytesOf(protocol, { text: [text] }), [1000, 70_000, 900_000])
    expect(first).toEqual({ type: 'text', text })
  })

  it('gives no tool call to carry out wherever the stream is cut after the call began', async () => {
    const bytes = bytesOf(protocol, {
      text: ['Hi'],
      toolCalls: [{ id: 'a', name: 'skills_read', input: { path: 'abc' } }],
    })
    const executed: number[] = []
    const start = Buffer.from(bytes).indexOf('skills_read')
    for (let length = start; length < bytes.length; length += EVERY) {
      const events = await eventsOf(protocol, bytes.subarray(0, length))
      if (events.some((event) => event.type === 'tool-call' && event.input !== undefined))
        executed.push(length)
      else expect(events.at(-1)?.type).toBe('error')
    }
    // Only after the event that ends the answer; what follows it says nothing more of the call.
    const end = Buffer.from(bytes).indexOf(WIRE[protocol].end)
    expect(executed.every((length) => length > end)).toBe(true)
  })

  it('gives no input for arguments that are cut at any byte', async () => {
    const raw = JSON.stringify({ path: 'a"b', list: [1, { x: true }], n: 1.5 })
    const llmOf = (rawInput: string) =>
      eventsOf(protocol, bytesOf(protocol, { toolCalls: [{ id: 'a', name: 'skills_read', rawInput }] }))
    for (let length = 1; length < raw.length; length += 1) {
      const [call] = await llmOf(raw.slice(0, length))
      expect(call).toMatchObject({ type: 'tool-call', input: undefined, raw: raw.slice(0, length) })
    }
    expect((await llmOf(raw))[0]).toMatchObject({ input: JSON.parse(raw) as unknown })
  })
})
