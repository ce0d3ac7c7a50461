import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive } from '../../../scripts/lib/lock.mjs'
import { createProcesses } from '../../../scripts/lib/processes.mjs'
import type { Processes } from '../../../scripts/lib/processes.mjs'
import { startXvfb } from '../../../scripts/lib/xvfb.mjs'

const env = process.env
const minute = 60_000
let processes: Processes
let mark: string | undefined

beforeEach(() => {
  mark = env['SATCHEL_TEST_RUN']
  processes = createProcesses()
})
afterEach(async () => {
  await processes.stopAll()
  if (mark === undefined) delete env['SATCHEL_TEST_RUN']
  else env['SATCHEL_TEST_RUN'] = mark
})

const sh = (script: string, limit = minute) => processes.run('sh', ['-c', script], { env, limit })
const lastNumber = (text: string) => Number(text.trim().split('\n').at(-1))

/** Starts a shell that says something and then waits; resolves with what it said. */
async function startShell(script: string) {
  const child = processes.start('sh', ['-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [text] = await once(child.stdout!.setEncoding('utf8'), 'data')
  return { child, said: String(text) }
}

test('both outputs and the exit code of a program are returned', async () => {
  expect(await sh('echo out; echo err >&2; exit 3')).toEqual({ code: 3, output: 'out\nerr\n' })
})

test('a program that does not exist is a failure with its name', async () => {
  const { code, output } = await processes.run('no-such-program', [], { env, limit: minute })
  expect(code).toBe(-1)
  expect(output).toContain('no-such-program')
})

test('a program that takes too long is stopped and this is told', async () => {
  const { code, output } = await sh('sleep 600', 1)
  expect(code).toBe(-1)
  expect(output).toContain('Stopped after')
})

test('what a program leaves running in its group is ended with it', async () => {
  const { output } = await sh('sleep 600 >/dev/null 2>&1 & echo $!')
  await expect.poll(() => isAlive(lastNumber(output))).toBe(false)
})

test('a program that left the group is found, ended and named at the end', async () => {
  const { output } = await sh("echo $(setsid --fork sh -c 'echo $$; exec sleep 601 >/dev/null 2>&1')")
  const ended = await processes.stopAll()
  expect(ended).toEqual([expect.stringContaining('sleep 601')])
  await expect.poll(() => isAlive(lastNumber(output))).toBe(false)
})

test('stopping all ends what still runs, also what does not listen', async () => {
  const { child, said } = await startShell('trap "" TERM; sleep 602 & echo $!; wait')
  await processes.stopAll()
  expect(child.signalCode).toBe('SIGKILL')
  await expect.poll(() => isAlive(lastNumber(said))).toBe(false)
})

test('a program that ends in order when asked is not killed', async () => {
  const { child } = await startShell('trap "exit 7" TERM; echo ready; sleep 603 & wait')
  await processes.stopAll()
  expect(child.exitCode).toBe(7)
})

test.runIf(process.platform === 'linux')(
  'Xvfb starts on a display of its own each time, and ends',
  async () => {
    const first = await startXvfb(processes, env)
    const second = await startXvfb(processes, env)
    expect(first).toMatch(/^:\d+$/)
    expect(second).not.toBe(first)
    expect(await processes.stopAll()).toEqual([])
  },
)
