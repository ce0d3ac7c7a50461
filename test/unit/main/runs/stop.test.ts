import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { processesOfRuns } from '../../../../src/main/runs/process-tree'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

/** Leaves its session, forks twice and ignores every signal that can be ignored. */
const ESCAPIST = `
trap '' HUP TERM INT QUIT
setsid sleep 300 &
( setsid sleep 300 & ) &
nohup sleep 300 >/dev/null 2>&1 &
perl -e 'fork and exit; setpgrp; fork and exit; $SIG{TERM} = $SIG{HUP} = "IGNORE"; sleep 300' &
echo ready
while :; do sleep 300; done
`

function alive(): number[] {
  return processesOfRuns(new Set(bench.claimed))
}

describe('ending a run', () => {
  test('a script may clean up when it is stopped', async () => {
    const running = bench.run(
      'trap.sh',
      `trap 'echo cleaned; exit 7' TERM; echo ready; while :; do sleep 0.05; done`,
    )
    await bench.seen(/ready/)
    await bench.runs.kill(bench.claimed[0]!, false)
    const { run, stdout, statusText } = await running
    expect([run.status, run.exitCode, stdout]).toEqual(['killed', 7, 'ready\ncleaned\n'])
    expect(statusText).toBe('The person stopped it.')
  })

  test('a script that waits for another program is stopped without the grace time', async () => {
    const patient = createBench({ graceMs: 60_000 })
    try {
      const running = patient.run('sleep.sh', 'echo ready; sleep 300; echo never')
      await patient.seen(/ready/)
      await patient.runs.kill(patient.claimed[0]!, false)
      expect((await running).stdout).toBe('ready\n')
    } finally {
      await patient.close()
    }
  })

  test.each([
    ['stopped', false],
    ['force stopped', true],
  ])(
    'nothing outlives a script that ignores signals and leaves its session, when %s',
    async (_how, force) => {
      const running = bench.run('escape.sh', ESCAPIST)
      await bench.seen(/ready/)
      expect(alive().length).toBeGreaterThan(4)
      await bench.runs.kill(bench.claimed[0]!, force)
      expect((await running).run.status).toBe('killed')
      expect(alive()).toEqual([])
    },
  )

  test('the time limit ends a run and what it printed is kept', async () => {
    const { run, stdout, statusText } = await bench.run('slow.sh', ESCAPIST, { timeoutMs: 700 })
    expect([run.status, stdout, statusText]).toEqual([
      'timed_out',
      'ready\n',
      'It was stopped after 0.7 s, its time limit.',
    ])
    expect(alive()).toEqual([])
  })

  test('a script that stops itself is ended by the time limit', async () => {
    const { run } = await bench.run('pause.sh', 'echo ready; kill -STOP $$', { timeoutMs: 500 })
    expect(run.status).toBe('timed_out')
    expect(alive()).toEqual([])
  })

  test('a script that closes its terminal is ended by the time limit', async () => {
    const { run } = await bench.run('close.sh', 'exec >&- 2>&- <&-; sleep 300', { timeoutMs: 500 })
    expect(run.status).toBe('timed_out')
  })

  test('a stopped turn stops its script', async () => {
    const turn = new AbortController()
    const running = bench.run('slow.sh', 'echo ready; sleep 300', {}, turn.signal)
    await bench.seen(/ready/)
    turn.abort()
    const { run, statusText } = await running
    expect([run.status, statusText]).toEqual(['killed', 'It was stopped together with the turn.'])
  })

  test('a background process that holds the terminal does not keep the run open', async () => {
    const { run, stdout } = await bench.run('background.sh', 'sleep 300 & echo done')
    expect([run.status, stdout]).toEqual(['succeeded', 'done\n'])
    expect(alive()).toEqual([])
  })

  test('a terminal left in raw mode loses nothing', async () => {
    const { stdout } = await bench.run('raw.sh', 'stty raw -echo -opost <&1; printf "a\\nb\\n"')
    expect(stdout).toBe('a\nb\n')
  })

  test('quitting interrupts what runs, at once', async () => {
    const running = bench.run('escape.sh', ESCAPIST)
    await bench.seen(/ready/)
    await bench.runs.close()
    expect((await running).run.status).toBe('interrupted')
    expect(alive()).toEqual([])
    expect(bench.runs.running()).toBe(0)
  })

  test('after quitting nothing starts', async () => {
    const plan = await bench.runs.planScript(bench.script('late.sh', 'echo late'))
    await bench.runs.close()
    await expect(bench.execute(plan)).rejects.toMatchObject({ code: 'not_ready' })
  })

  test('ending a run that has ended does nothing', async () => {
    const { run } = await bench.run('hello.sh', 'echo hello')
    await bench.runs.kill(run.id, true)
    expect(bench.runs.get(run.id).status).toBe('succeeded')
  })
})
