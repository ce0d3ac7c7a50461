import * as fc from 'fast-check'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OutputChunk } from '../../../../src/shared/domain/run'
import { createOutputLog, readOutput } from '../../../../src/main/runs/output-log'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const errors: unknown[] = []
const open = (keep = 1_000_000, runId = 'run_1') =>
  createOutputLog({ folder, runId, keep, onError: (error) => errors.push(error) })

async function read(from = 0, runId = 'run_1'): Promise<OutputChunk[]> {
  const chunks: OutputChunk[] = []
  for await (const chunk of readOutput({ folder, runId, live: null }, from, new AbortController().signal))
    chunks.push(chunk)
  return chunks
}

const textOf = (chunks: OutputChunk[]) => chunks.map(({ data }) => data).join('')

describe('the log of a run', () => {
  test('both channels come back in order', async () => {
    const log = open()
    log.append('out', 'one')
    log.append('err', 'two')
    log.append('err', 'three')
    log.close()
    expect(await read()).toEqual([
      { offset: 0, channel: 'out', data: 'one' },
      { offset: 3, channel: 'err', data: 'twothree' },
    ])
  })

  test('opened at any offset it continues exactly there', async () => {
    const text = fc.array(
      fc.tuple(
        fc.constantFrom('out' as const, 'err' as const),
        fc.string({ unit: 'grapheme', minLength: 1 }),
      ),
      { maxLength: 20 },
    )
    let turn = 0
    await fc.assert(
      fc.asyncProperty(text, fc.nat(200), async (pieces, from) => {
        turn += 1
        const log = open(1_000_000, `run_${turn}`)
        for (const [channel, data] of pieces) log.append(channel, data)
        log.close()
        const whole = pieces.map(([, data]) => data).join('')
        expect(textOf(await read(from, `run_${turn}`))).toBe(whole.slice(from))
      }),
      { numRuns: 50 },
    )
  })

  test('a chunk is at most 64 K characters and never ends inside a character', async () => {
    const log = open()
    log.append('out', `a${'😀'.repeat(100_000)}`)
    log.close()
    const chunks = await read()
    expect(chunks.every(({ data }) => data.length <= 16_384 && !/\p{Surrogate}/u.test(data))).toBe(true)
    expect(textOf(chunks).length).toBe(200_001)
  })

  test('beyond the limit head and tail are kept, and the offset jumps over the rest', async () => {
    const log = open(1000)
    for (let n = 0; n < 1000; n += 1) {
      log.append('out', `${String(n).padStart(9, '0')}\n`)
      log.flush()
    }
    log.close()
    const chunks = await read()
    const text = textOf(chunks)
    expect(text.startsWith('000000000\n') && text.endsWith('000000999\n')).toBe(true)
    expect(text.length).toBeGreaterThanOrEqual(700)
    expect(text.length).toBeLessThanOrEqual(1000)
    expect(chunks.every(({ offset, data }) => offset === Number(data) * 10)).toBe(true)
    expect(log.truncated()).toBe(true)
    expect(readdirSync(folder)).toHaveLength(3)
  })

  test('a reader that waits gets what comes, across parts that begin and vanish', async () => {
    const log = open(1000)
    const signal = new AbortController().signal
    const seen: number[] = []
    const reading = (async () => {
      for await (const chunk of readOutput({ folder, runId: 'run_1', live: log.live }, 0, signal))
        seen.push(Number(chunk.data))
    })()
    for (let n = 0; n < 300; n += 1) {
      log.append('out', `${String(n).padStart(9, '0')}\n`)
      log.flush()
      await new Promise((resolve) => setImmediate(resolve))
    }
    log.close()
    await reading
    expect(seen).toEqual(Array.from({ length: 300 }, (_, n) => n))
  })

  test('a line that a crash tore is left out', async () => {
    writeFileSync(
      join(folder, 'run_1.log'),
      `${JSON.stringify({ offset: 0, channel: 'out', data: 'whole' })}\n{"offset":5,"chan`,
    )
    expect(textOf(await read())).toBe('whole')
  })

  test('a run without a log has no output', async () => {
    expect(await read()).toEqual([])
  })

  test('a log that can not be written is said once and ends nothing', () => {
    const log = open(10)
    rmSync(folder, { recursive: true, force: true })
    for (let n = 0; n < 5; n += 1) {
      log.append('out', 'x'.repeat(20))
      log.flush()
    }
    expect(errors.splice(0)).toHaveLength(1)
    expect(log.truncated()).toBe(true)
    log.close()
    folder = mkdtempSync(join(tmpdir(), 'log-'))
  })
})
