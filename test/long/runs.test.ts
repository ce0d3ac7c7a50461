import { afterEach, beforeEach, expect, test } from 'vitest'
import { processesOfRuns } from '../../src/main/runs/process-tree'
import { createBench } from '../unit/main/runs/harness'
import type { Bench } from '../unit/main/runs/harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

/** Prints its first argument in bytes that name their place, and ends with its second. */
const PRINTER = `
use strict; my ($size, $code) = @ARGV; my $text = ''; my $n = 0;
while (length($text) < $size) { $text .= sprintf("%07d\\n", $n++) }
$| = 1; print substr($text, 0, $size); exit $code;
`

function expected(size: number): string {
  let text = ''
  for (let n = 0; text.length < size; n += 1) text += `${String(n).padStart(7, '0')}\n`
  return text.slice(0, size)
}

test('1,000 runs, four at a time, lose no byte and no exit code', { timeout: 900_000 }, async () => {
  const sizes = [0, 1, 4096, 8000, 80_000, 800_000]
  const wanted = new Map(sizes.map((size) => [size, expected(size)]))
  let next = 0
  let wrong = 0
  const worker = async () => {
    for (let turn = next++; turn < 1000; turn = next++) {
      const size = sizes[turn % sizes.length]!
      const code = turn % 251
      const { run } = await bench.run('print.pl', PRINTER, { args: [String(size), String(code)] })
      let text = ''
      for await (const chunk of bench.runs.output(run.id, 0, new AbortController().signal)) text += chunk.data
      if (text !== wanted.get(size) || run.exitCode !== code || run.outputBytes !== size) wrong += 1
    }
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  expect(wrong).toBe(0)
  expect(bench.claimed).toHaveLength(1000)
})

test('100 stopped runs that try everything to stay leave no process', { timeout: 900_000 }, async () => {
  const escapist = `
    trap '' HUP TERM INT QUIT
    setsid sleep 300 & ( setsid sleep 300 & ) & nohup sleep 300 >/dev/null 2>&1 &
    echo ready
    while :; do sleep 300; done`
  for (let turn = 0; turn < 100; turn += 1) {
    const running = bench.run('escape.sh', escapist)
    while (bench.claimed.length <= turn) await new Promise((resolve) => setImmediate(resolve))
    await bench.seen(/ready/)
    await bench.runs.kill(bench.claimed[turn]!, turn % 2 === 0)
    expect((await running).run.status).toBe('killed')
  }
  expect(processesOfRuns(new Set(bench.claimed))).toEqual([])
})
