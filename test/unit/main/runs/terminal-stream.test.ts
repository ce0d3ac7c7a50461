import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTerminalStream } from '../../../../src/main/runs/terminal-stream'

const MARKER = '\x1e0123456789ABCDEF'

/** What a terminal makes of a program's bytes, cut into the given sizes. */
function throughTerminal(
  program: Buffer,
  exit: string,
  sizes: number[],
): { out: Buffer; code: number | null } {
  const shown = Buffer.from(program.toString('latin1').replaceAll('\n', '\r\n') + exit, 'latin1')
  const stream = createTerminalStream(MARKER)
  const out: Buffer[] = []
  for (let at = 0, turn = 0; at < shown.length; turn += 1) {
    const size = sizes.length === 0 ? 1 : sizes[turn % sizes.length]!
    out.push(stream.push(shown.subarray(at, at + size)))
    at += size
  }
  out.push(stream.rest())
  return { out: Buffer.concat(out), code: stream.exitCode() }
}

const bytes = fc
  .array(fc.oneof(fc.constantFrom(0x0d, 0x0a, 0x1e, 0x30, 0x31), fc.integer({ min: 0, max: 255 })), {
    maxLength: 200,
  })
  .map((list) => Buffer.from(list))
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 10 })

describe('bytes through a terminal', () => {
  test('every byte comes through and the exit code is read, however they are cut', () => {
    fc.assert(
      fc.property(bytes, sizes, fc.integer({ min: 0, max: 255 }), (program, cuts, code) => {
        const seen = throughTerminal(program, `${MARKER}${code};`, cuts)
        expect(seen.out.equals(program)).toBe(true)
        expect(seen.code).toBe(code)
      }),
    )
  })

  test('without a marker every byte comes through too', () => {
    fc.assert(
      fc.property(bytes, sizes, (program, cuts) => {
        const seen = throughTerminal(program, '', cuts)
        expect(seen.out.equals(program)).toBe(true)
        expect(seen.code).toBeNull()
      }),
    )
  })

  test('a beginning of the marker is given on as soon as it turns out to be none', () => {
    const stream = createTerminalStream(MARKER)
    expect(stream.push(Buffer.from('a\x1e01')).toString()).toBe('a')
    expect(stream.push(Buffer.from('x')).toString()).toBe('\x1e01x')
  })

  test('a prompt without a line end is not held back', () => {
    expect(createTerminalStream(MARKER).push(Buffer.from('Name? ')).toString()).toBe('Name? ')
  })

  test('what comes behind the marker is no output', () => {
    const stream = createTerminalStream(MARKER)
    const seen = stream.push(Buffer.from(`out${MARKER}7;\r\necho of the answer`)).toString()
    expect([seen, stream.push(Buffer.from('more')).toString(), stream.rest().toString()]).toEqual([
      'out',
      '',
      '',
    ])
    expect(stream.exitCode()).toBe(7)
  })
})
