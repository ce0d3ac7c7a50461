import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTimeOf } from '../../../../src/main/lib/proc'
import { killRuns } from '../../../../src/main/runs/process-tree'
import { isAlive } from '../../../helpers/process-tree'

const ROUNDS = 15

test('a process that becomes another program again and again is killed with its run', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'satchel-tree-'))
  const script = join(dir, 'again.sh')
  writeFileSync(script, 'exec /bin/sh "$0"\n')
  const left: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const env = { SATCHEL_RUN_ID: `run_again_${round}` }
      const children = Array.from({ length: 4 }, () => spawn('/bin/sh', [script], { env, stdio: 'ignore' }))
      const ended = children.map((child) => new Promise((done) => child.once('exit', done)))
      const starts = children.map(({ pid }) => startTimeOf(pid!))
      killRuns(new Set([env.SATCHEL_RUN_ID]))
      const alive = children.filter(({ pid }, at) => startTimeOf(pid!) === starts[at] && isAlive(pid!))
      left.push(...alive.map(({ pid }) => pid!))
      for (const child of alive) child.kill('SIGKILL')
      await Promise.all(ended)
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
  expect(left).toEqual([])
})
