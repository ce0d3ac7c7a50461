import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLimiter } from '../../../../src/main/runs/limiter'
import { openJournal, settleJournal } from '../../../../src/main/runs/journal'
import { createBench } from './harness'
import type { Bench } from './harness'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.close())

test('a run that begins while another one of the project is settled has all its covers', async () => {
  const folder = (name: string) => {
    const dir = join(bench.dir, 'journals', name)
    mkdirSync(dir, { recursive: true })
    return dir
  }
  const place = { dir: join(bench.dir, 'kept'), clean: (path: string) => path }
  let [last] = [folder('0')]
  await openJournal(last, bench.workspace)
  for (let round = 1; round < 20; round += 1) {
    const next = folder(String(round))
    const ending = settleJournal(last, place)
    // Each time it begins a turn later in the other's end.
    for (let turns = 0; turns < round; turns += 1) await Promise.resolve()
    const { covers } = await openJournal(next, bench.workspace)
    await ending
    expect(covers).toContain('.git')
    expect(covers.filter((path) => !existsSync(join(bench.workspace, path)))).toEqual([])
    last = next
  }
})

test('a run that is stopped while its project is looked through does not start', async () => {
  let goOn = () => undefined as void
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const limits = createLimiter({ env: {}, isRoot: true })
  const slow = createBench({
    limiter: {
      ...limits,
      open: async (...asked) => {
        await gate
        return limits.open(...asked)
      },
    },
  })
  const running = slow.run('make.sh', 'echo made > made')
  while (slow.claimed.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await slow.runs.kill(slow.claimed[0]!, false)
  goOn()
  const { run, statusText } = await running
  expect([run.status, statusText]).toEqual(['killed', 'The person stopped it.'])
  expect(readdirSync(slow.workspace)).toEqual([])
  await slow.close()
})
