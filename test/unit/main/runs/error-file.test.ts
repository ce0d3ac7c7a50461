import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

/** Tries what a script might do to what it printed as errors, and says what was refused. */
const TAKES_BACK = `import os, stat
os.write(2, b'a long line about what it really does\\n')
def attempt(name, action):
    try:
        action()
        print(name, 'worked')
    except OSError as error:
        print(name, 'refused')
for place in ('/proc/self/fd/2', '/dev/stderr', '/.sandbox/errors'):
    attempt('read ' + place, lambda: os.open(place, os.O_RDONLY | os.O_NONBLOCK))
    attempt('both ' + place, lambda: os.open(place, os.O_RDWR | os.O_NONBLOCK))
    attempt('mode ' + place, lambda: os.chmod(place, 0o600))
    attempt('cut ' + place, lambda: os.truncate(place, 0))
attempt('cut 2', lambda: os.ftruncate(2, 0))
attempt('grow 2', lambda: os.ftruncate(2, 300_000_000))
attempt('mode 2', lambda: os.fchmod(2, 0o600))
attempt('seek 2', lambda: os.lseek(2, 0, os.SEEK_SET))
attempt('remove', lambda: os.unlink('/.sandbox/errors'))
# The sandbox's own first process is seen by the script: what it holds is not the script's channel.
attempt('cut 1', lambda: os.truncate('/proc/1/fd/2', 0))
os.write(2, b'all fine\\n')`

test('a script can not take back what it printed as errors, nor read it, nor set its permissions', async () => {
  const { run, stdout, stderr } = await bench.run('back.py', TAKES_BACK)
  expect(run.status).toBe('succeeded')
  expect(stderr).toBe('a long line about what it really does\nall fine\n')
  const worked = stdout.split('\n').filter((line) => line.endsWith('worked'))
  expect(worked.filter((line) => line !== 'cut 1 worked')).toEqual([])
})

test('what a script writes over the errors of the sandbox itself is not told as its own', async () => {
  const { stderr, run } = await bench.run(
    'over.py',
    `import os
os.write(os.open('/proc/1/fd/2', os.O_WRONLY), b'bwrap: all is well\\n')
os.write(2, b'end\\n')`,
  )
  expect([run.status, stderr]).toEqual(['succeeded', 'end\n'])
})

test('standard error can be opened again to print there, as programs do', async () => {
  const { stderr } = await bench.run('again.sh', 'echo a >/dev/stderr; echo b >>/proc/self/fd/2; echo c >&2')
  expect(stderr).toBe('a\nb\nc\n')
})

test('all errors arrive, also those printed right before the end', async () => {
  const { run, stderr } = await bench.run(
    'many.pl',
    `print STDERR 'e' x 5_000_000; print STDERR "\\nlast\\n"`,
  )
  expect(run.outputBytes).toBe(5_000_006)
  expect(stderr).toMatch(/e\nlast\n$/)
})

test('a script that is stopped keeps what it printed as errors', async () => {
  const running = bench.run(
    'stopped.py',
    `import os, time
os.write(2, b'x' * 500_000 + b'\\n')
print('printed', flush=True)
time.sleep(300)`,
  )
  await bench.seen(/printed/)
  await bench.runs.kill(bench.claimed[0]!, true)
  const { run } = await running
  expect(run.status).toBe('killed')
  expect(run.outputBytes).toBe(500_001 + 'printed\n'.length)
})

test('a script that prints more errors than any output may have is stopped', async () => {
  const { run, statusText } = await bench.run(
    'large.py',
    `import os
while True: os.write(2, b'x' * 1_000_000)`,
  )
  expect(run.status).toBe('killed')
  expect(statusText).toContain('200 MB')
})

test('errors are taken when they come, not at intervals, and so stand where they were printed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  try {
    const running = bench.run('ask.sh', 'echo err >&2; read -r line; echo out', { interactive: true })
    await bench.seen(/err/)
    await bench.runs.input(bench.claimed[0]!, '\n')
    expect((await running).stdout).toMatch(/out\n$/)
  } finally {
    vi.useRealTimers()
  }
})
