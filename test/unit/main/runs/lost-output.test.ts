import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi, type TestContext } from 'vitest'
import type { Notices } from '../../../../src/main/runs/run-end'
import type { RunsDeps } from '../../../../src/main/runs/types'
import { mountSmallDisk, whyNoDisk, type SmallDisk } from '../../../helpers/small-disk'
import { createBench, type Bench } from './harness'

let home: string
let disk: SmallDisk | undefined
let bench: Bench | undefined
const notices: string[] = []

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-lost-')))
})
afterEach(async () => {
  await bench?.close()
  disk?.remove()
  rmSync(home, { recursive: true, force: true })
  disk = bench = undefined
  notices.length = 0
})

/** Prints 4 MB on a disk of 3 MB, waits for `go`, prints one line more and ends. */
const PRINTS = `#!/usr/bin/env bash
head -c 4000000 /dev/zero | tr '\\0' 'q' | fold -w 99
until [ -e go ]; do sleep 0.05; done
echo LASTLINE
`

function open(context: TestContext): Bench {
  const reason = whyNoDisk()
  context.skip(reason !== null, reason ?? '')
  disk = mountSmallDisk(join(home, 'data'), { megabytes: 3 })
  const deps: Partial<RunsDeps> & Notices = { dataDir: disk.dir, notice: (message) => notices.push(message) }
  bench = createBench(deps)
  return bench
}

it('tells the person at once and once that a full disk keeps no more output, and says that it was cut', async (context) => {
  const { runs, run, claimed, workspace } = open(context)
  const ended = run('scripts/n.sh', PRINTS)
  await vi.waitUntil(() => notices.length > 0, { timeout: 20_000 })

  expect(runs.get(claimed[0]!)).toMatchObject({ status: 'running', truncated: true })
  writeFileSync(join(workspace, 'go'), '')
  const outcome = await ended

  expect(outcome.run).toMatchObject({ status: 'succeeded', exitCode: 0, truncated: true })
  expect(outcome.stdout).toContain('LASTLINE')
  expect(notices).toEqual(['The disk is full: what scripts/n.sh prints from here on is not kept.'])
})
