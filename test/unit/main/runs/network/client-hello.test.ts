import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readClientHello } from '../../../../../src/main/runs/network/client-hello'

const two = (value: number) => [value >> 8, value & 255]
const extension = (type: number, data: number[]) => [...two(type), ...two(data.length), ...data]
const named = (name: string) => {
  const bytes = [...Buffer.from(name, 'latin1')]
  return extension(0, [...two(bytes.length + 3), 0, ...two(bytes.length), ...bytes])
}

/** The first message of TLS, in records of at most `size` bytes. */
function hello(extensions: number[][], size = 16_384): Buffer {
  const all = extensions.flat()
  const body = [3, 3, ...Array<number>(32).fill(7), 0, ...two(2), 0x13, 1, 1, 0, ...two(all.length), ...all]
  const message = [1, 0, ...two(body.length), ...body]
  const records: number[] = []
  for (let at = 0; at < message.length; at += size) {
    const part = message.slice(at, at + size)
    records.push(22, 3, 1, ...two(part.length), ...part)
  }
  return Buffer.from(records)
}

describe('the first message of TLS', () => {
  test('names the server that it asks for, however it is cut', () => {
    const name = fc.stringMatching(/^[a-z0-9.-]{1,60}$/)
    const other = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.uint8Array({ maxLength: 40 }))
    fc.assert(
      fc.property(
        name,
        fc.uniqueArray(other, { selector: ([type]) => type, maxLength: 4 }),
        fc.integer({ min: 1, max: 300 }),
        (server, others, size) => {
          const bytes = hello(
            [...others.map(([type, data]) => extension(type, [...data])), named(server)],
            size,
          )
          expect(readClientHello(bytes)).toEqual({ kind: 'hello', serverName: server, hidden: false })
          expect(readClientHello(Buffer.concat([bytes, Buffer.from('more')]))).toMatchObject({
            serverName: server,
          })
          for (let end = 0; end < bytes.length; end += 1) {
            expect(readClientHello(bytes.subarray(0, end)).kind).toBe('more')
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test('without a name, or with one that is hidden, it says so', () => {
    expect(readClientHello(hello([]))).toEqual({ kind: 'hello', serverName: null, hidden: false })
    const hidden = hello([named('outer.example'), extension(0xfe0d, [0, 1])])
    expect(readClientHello(hidden)).toEqual({ kind: 'hello', serverName: 'outer.example', hidden: true })
  })

  test('two names, an empty list and lengths that are not true make it none', () => {
    const twice = hello([named('a.example'), named('b.example')])
    const both = hello([extension(0, [...two(10), 0, ...two(2), 97, 97, 0, ...two(2), 98, 98])])
    const empty = hello([extension(0, [0, 0])])
    const long = hello([extension(0, [0, 9, 0, 0, 9, 97])])
    for (const bytes of [twice, both, empty, long])
      expect(readClientHello(bytes)).toEqual({ kind: 'not-tls' })
  })

  test('bytes of another kind are never waited for, and never mistaken for one', () => {
    for (const text of [
      'GET / HTTP/1.1\r\n',
      'SSH-2.0-x\r\n',
      '\x05\x01\x00',
      '\x16\x02',
      '\x16\x03\x01\x00\x00',
      '\x16\x03\x01\xff\xff',
    ]) {
      expect(readClientHello(Buffer.from(text, 'latin1'))).toEqual({ kind: 'not-tls' })
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(['more', 'not-tls', 'hello']).toContain(readClientHello(Buffer.from(bytes)).kind)
      }),
    )
  })
})
