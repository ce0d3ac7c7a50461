import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

test('what a script takes back of its errors was seen, and that it did is said', async () => {
  const running = bench.run(
    'back.py',
    `import os, sys
os.write(2, b'a long line about what it really does\\n')
sys.stdin.readline()
os.ftruncate(os.open('/proc/self/fd/2', os.O_RDWR), 0)
os.write(2, b'all fine\\n')
sys.stdin.readline()
os.write(2, b'end\\n')`,
    { interactive: true },
  )
  await bench.seen(/really does/)
  await bench.runs.input(bench.claimed[0]!, '\n')
  await bench.seen(/take back/)
  await bench.runs.input(bench.claimed[0]!, '\n')
  const { run, stderr } = await running
  expect(run.status).toBe('succeeded')
  expect(stderr).toMatch(/really does\n\n\[Satchel saw the script take back .*\]\nall fine\nend\n$/)
})

test('a script that makes the file of its errors larger than any output is stopped', async () => {
  const { run, statusText } = await bench.run(
    'large.py',
    `import os, time
os.ftruncate(2, 300_000_000)
time.sleep(300)`,
  )
  expect(run.status).toBe('killed')
  expect(statusText).toContain('200 MB')
})
