import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startWorker } from '../../src/main/search/worker-client'
import type { WorkerClient } from '../../src/main/search/worker-client'
import { scannerInWorker } from '../../src/main/app/skills/scan'
import { createRegistry } from '../../src/main/skills/registry/registry'
import type { Registry } from '../../src/main/skills/registry/registry'
import type { ScanDelta } from '../../src/main/skills/scan/scan-contract'
import type { Task } from '../child'
import { queriesFor } from '../lib/queries'
import { benchLog, inputFor } from '../lib/scanning'

interface Args {
  home: string
  skillsDir: string
  /** Folder of a skill that is changed for a moment. */
  folder: string
  count: number
  seed: number
  /** False: what the worker finds is dropped, to see what the machine alone does to the main thread. */
  registry: boolean
}

const QUERIES = 40

/**
 * The registry in the main thread with its worker, from nothing to the last count; then one change, then searches. How
 * long the main thread could do nothing else, and what stays in its memory.
 */
export const start: Task<Args> = async (args) => {
  const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  const workerData = { dbFile: join(scratch, 'app.db'), indexFile: join(scratch, 'index.db') }
  const worker = startWorker({ file: join(__dirname, 'worker.cjs'), workerData, log: benchLog })
  try {
    return await (args.registry
      ? withRegistry(args, scratch, worker)
      : withoutRegistry(args, scratch, worker))
  } finally {
    await worker.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function withRegistry(args: Args, scratch: string, worker: WorkerClient): ReturnType<Task<Args>> {
  const input = inputFor(args.home, scratch)
  const before = heapMb()
  const delay = watchDelay()
  const started = performance.now()
  const registry = createRegistry({
    scanner: (onDelta) => scannerInWorker(worker, onDelta),
    input: () => input,
    projects: () => [],
    projectOverPersonal: () => false,
    onChange: () => undefined,
  })
  void registry.refresh()
  await registry.listed()
  const ms = performance.now() - started
  registry.list(null)
  await registry.refresh()
  const complete = performance.now() - started
  const blockedStart = delay()
  const heap = heapMb() - before
  const numbers = { complete, skills: registry.all().length, blockedStart, heapMb: heap }
  const change = await oneChange(args, registry)
  const search = await searches(args, worker)
  registry.close()
  return {
    ms,
    numbers: { ...numbers, ...change, blockedSearch: search.blocked },
    series: { search: search.times },
  }
}

async function withoutRegistry(
  { home }: Args,
  scratch: string,
  worker: WorkerClient,
): ReturnType<Task<Args>> {
  const delay = watchDelay()
  const started = performance.now()
  let listedAt = started
  const scanner = scannerInWorker(worker, (delta: ScanDelta) => {
    if (delta.listed) listedAt = performance.now()
  })
  scanner.configure(inputFor(home, scratch))
  await scanner.refresh()
  scanner.close()
  return { ms: listedAt - started, numbers: { blockedStart: delay() } }
}

/** One SKILL.md is changed, looked at, and put back. */
async function oneChange(
  { skillsDir, folder }: Args,
  registry: Registry,
): Promise<{ changed: number; blockedChange: number; missedChange: number }> {
  const file = join(skillsDir, folder, 'SKILL.md')
  const text = readFileSync(file)
  const delay = watchDelay()
  try {
    writeFileSync(file, `---\nname: ${folder}\ndescription: Changed.\n---\nBody.\n`)
    const started = performance.now()
    await registry.refresh()
    const changed = performance.now() - started
    const seen = registry.list(null).some(({ record }) => record.description === 'Changed.')
    return { changed, blockedChange: delay(), missedChange: seen ? 0 : 1 }
  } finally {
    writeFileSync(file, text)
  }
}

async function searches(
  { seed, count }: Args,
  worker: WorkerClient,
): Promise<{ times: number[]; blocked: number }> {
  const { meta, body } = queriesFor(seed, count)
  const times: number[] = []
  const delay = watchDelay()
  for (let at = 0; at < QUERIES; at++) {
    const started = performance.now()
    await worker.searchSkills((at % 2 === 0 ? meta : body)[at]!)
    times.push(performance.now() - started)
  }
  return { times, blocked: delay() }
}

/** The longest time the event loop was not let go since, in milliseconds. */
function watchDelay(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  return () => {
    histogram.disable()
    return Math.max(0, histogram.max / 1e6 - 1)
  }
}

function heapMb(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}
