import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TaskName, TaskResult } from '../child'

/** One measurement in a process of its own. */
export interface Sample {
  /** What the task says it took, in milliseconds, without the start of Node and without imports. */
  ms: number
  /** From starting the process to its end, in milliseconds. */
  wallMs: number
  /** Most memory that was ever resident, in MB. */
  peakMb: number
  result: TaskResult
}

/** What is measured: a name for the table, the task and its argument. */
export interface Side {
  name: string
  task: TaskName
  args: object
}

/** Samples of each side by its name, in the order of the rounds. */
export type Samples = Map<string, Sample[]>

const child = join(__dirname, 'child.cjs')
/** Set: every process leaves a CPU profile in this folder, and times are no good. */
const profileDir = process.env['SATCHEL_BENCH_PROFILE']
const LIMIT_MS = 300_000

/** Runs every side once in each round, A B C A B C, each in a fresh process: what drifts hits all of them alike. `after` each. */
export async function alternate(
  sides: readonly Side[],
  rounds: number,
  after: () => void = () => undefined,
): Promise<Samples> {
  const samples: Samples = new Map(sides.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) {
      samples.get(side.name)!.push(await runTask(side))
      after()
    }
  }
  return samples
}

/** Runs a task in a fresh process; rejects with what it printed when it fails. */
export function runTask({ name, task, args }: Side): Promise<Sample> {
  const started = performance.now()
  const profile = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`, '--cpu-prof-interval=200'] : []
  const flags = [...profile, '--expose-gc', child, task, JSON.stringify(args)]
  const running = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let printed = ''
  running.stdout!.on('data', (chunk: Buffer) => void (printed += chunk.toString()))
  running.stderr!.on('data', (chunk: Buffer) => void (printed += chunk.toString()))
  const timer = setTimeout(() => void running.kill('SIGKILL'), LIMIT_MS)
  return new Promise((resolve, reject) => {
    let result: TaskResult | null = null
    running.on('message', (message) => void (result = message as TaskResult))
    running.on('error', reject)
    running.on('close', (code) => {
      clearTimeout(timer)
      if (code !== 0 || result === null) {
        reject(new Error(`${name} ended with ${String(code)}: ${printed.trim().slice(-800)}`))
        return
      }
      resolve({ ms: result.ms, wallMs: performance.now() - started, peakMb: result.peakMb, result })
    })
  })
}
