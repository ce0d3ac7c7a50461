import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

/** Takes what is handed to it through a socket of the project, says so, and keeps it. */
const keeps = (andThen: string) => `import array, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.bind('here')
server.listen()
print('ready', flush=True)
peer, _ = server.accept()
_, given, _, _ = peer.recvmsg(1, socket.CMSG_SPACE(8))
out, err = array.array('i', given[0][2])[:2]
peer.send(b'x')
${andThen}
sys.stdin.readline()`

/** Hands over its output and ends. */
const GIVES = `import array, os, socket
peer = socket.socket(socket.AF_UNIX)
peer.connect('here')
os.write(2, b'e' * 300_000 + b'\\n')
peer.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [1, 2]))])
peer.recv(1)
os.write(1, b'last out\\n')
os.write(2, b'last err\\n')`

describe('a run that handed its output to a process of another run', () => {
  const hand = async (andThen: string) => {
    const keeper = bench.run('keeps.py', keeps(andThen), { interactive: true })
    await bench.seen(/ready/)
    const given = await bench.run('gives.py', GIVES)
    await bench.runs.input(bench.claimed[0]!, '\n')
    return { given, kept: await keeper }
  }

  test('ends when its sandbox is gone, with all that it printed', async () => {
    const { given, kept } = await hand('pass')
    expect([given.run.status, kept.run.status]).toEqual(['succeeded', 'succeeded'])
    expect(given.stdout).toBe('last out\n')
    expect(given.run.outputBytes).toBe(300_001 + 2 * 'last out\n'.length)
    expect(given.stderr).toMatch(/e\nlast err\n$/)
  })

  test('ends also when that one prints there without end', async () => {
    const { given } = await hand(`import signal
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
if os.fork() == 0:
    while True:
        os.write(err, b'y' * 100)`)
    expect(['succeeded', 'killed']).toContain(given.run.status)
    expect(given.stderr).toContain('eee')
  })
})

test('the words of the sandbox itself can not be filled by a script', async () => {
  const { stdout } = await bench.run(
    'fill.py',
    `import fcntl, os, stat
words = os.open('/proc/1/fd/2', os.O_WRONLY | os.O_NONBLOCK)
written = 0
try:
    while written < 3_000_000:
        written += os.write(words, b'x' * 10_000)
except BlockingIOError:
    print('full')
print(written < 2_000_000)`,
  )
  expect(stdout).toBe('full\nTrue\n')
  expect(statSync(join(bench.dataDir, 'runs', bench.claimed[0]!), { throwIfNoEntry: false })).toBeUndefined()
})
