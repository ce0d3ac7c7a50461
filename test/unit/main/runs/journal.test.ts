import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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

describe('while its project is looked through', () => {
  let goOn: () => void
  let slow: Bench
  beforeEach(() => {
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const limits = createLimiter({ env: {}, isRoot: true })
    slow = createBench({
      limiter: {
        ...limits,
        open: async (...asked) => {
          await gate
          return limits.open(...asked)
        },
      },
    })
  })
  afterEach(() => slow.close())

  const begun = async () => {
    while (slow.claimed.length === 0) await new Promise((resolve) => setImmediate(resolve))
    return slow.claimed[0]!
  }

  test('a run that is stopped does not start', async () => {
    const running = slow.run('make.sh', 'echo made > made')
    await slow.runs.kill(await begun(), false)
    goOn()
    const { run, statusText } = await running
    expect([run.status, statusText]).toEqual(['killed', 'The person stopped it.'])
    expect(readdirSync(slow.workspace)).toEqual([])
  })

  test('who looks at its output, or types, is not sent away', async () => {
    const running = slow.run('ask.sh', 'read -r line; echo "got $line"', { interactive: true })
    await begun()
    const seen = slow.seen(/got it/)
    const typed = slow.runs.input(slow.claimed[0]!, 'it\n')
    goOn()
    await typed
    expect(await seen).toContain('got it')
    await running
  })
})
