import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBench } from '../main/runs/harness'
import type { Bench } from '../main/runs/harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

/** Prints `size` bytes that name their place, so that a missing or doubled piece shows. */
const PRINTER = `
use strict; my $size = shift; my $text = ''; my $n = 0;
while (length($text) < $size) { $text .= sprintf("%07d\\n", $n++) }
$| = 1; print substr($text, 0, $size);
`

function expected(size: number): string {
  let text = ''
  for (let n = 0; text.length < size; n += 1) text += `${String(n).padStart(7, '0')}\n`
  return text.slice(0, size)
}

async function logOf(runId: string): Promise<string> {
  let text = ''
  for await (const chunk of bench.runs.output(runId, 0, new AbortController().signal)) text += chunk.data
  return text
}

describe('output of any size', () => {
  test.each([
    [0, 2],
    [1, 2],
    [8000, 4],
    [800_000, 3],
  ])('%i bytes come through exactly, %i times', async (size, times) => {
    const want = expected(size)
    for (let time = 0; time < times; time += 1) {
      const { run } = await bench.run('print.pl', PRINTER, { args: [String(size)] })
      expect(run.outputBytes).toBe(size)
      expect((await logOf(run.id)) === want).toBe(true)
    }
  })

  test('50 MB are counted, kept head and tail, and cut for the model', async () => {
    const { run, stdout, truncated } = await bench.run('big.sh', 'seq -w 0 6249999 | cat')
    const log = await logOf(run.id)
    expect(run).toMatchObject({ status: 'succeeded', outputBytes: 50_000_000, truncated: true })
    expect(log.length).toBeGreaterThan(7_000_000)
    expect(log.length).toBeLessThanOrEqual(10_100_000)
    expect(log.startsWith('0000000\n') && log.endsWith('6249999\n')).toBe(true)
    expect(truncated).toBe(true)
    expect(Buffer.byteLength(stdout)).toBeLessThan(51_000)
  })

  test('a run that prints more than 200 MB is stopped', async () => {
    const outcome = await bench.run('yes.sh', 'yes 0123456789012345678901234567890123456789 >&2')
    expect(outcome.run.status).toBe('killed')
    expect(outcome.statusText).toContain('200 MB')
  })
})
