import { readFileSync } from 'node:fs'
import { spawn } from 'node-pty'
import { z } from 'zod'
import { OutputChunk } from '../../src/shared/domain/run'
import { stream } from '../../src/shared/ipc/define'
import type { Handlers } from '../../src/shared/ipc/define'
import type { Port } from '../../src/shared/ipc/protocol'
import { serve } from '../../src/shared/ipc/server'
import { descendantsOf, processesOfRuns } from '../../src/main/runs/process-tree'
import { createBench, type Bench } from '../../test/unit/main/runs/harness'
import type { Task } from '../child'

interface ExecArgs {
  /** Runs of each side, taking turns. */
  runs: number
  /** Bytes that are printed at once for the throughput. */
  bytes: number
  /** How often they are printed. */
  prints: number
}

type Numbers = Record<'lost' | 'survivors' | 'queued', number>

/** A tree with a process that left its session, so that only a sandbox knows all of it. */
const TREE = 'for i in 1 2 3; do sleep 60 & done; setsid sleep 60 & echo ready; wait'
const STEP_MS = 30_000

/** Runs of Satchel in its sandbox beside the same command on a bare terminal, taking turns in one process. */
export const exec: Task<ExecArgs> = async ({ runs, bytes, prints }) => {
  const began = performance.now()
  const bench = createBench()
  const series: Record<string, number[]> = {}
  const numbers: Numbers = { lost: 0, survivors: 0, queued: 0 }
  const note = async (name: string, work: () => Promise<number>) => {
    const took = await inTime(name, work())
    ;(series[name] ??= []).push(took)
  }
  try {
    await executed(bench, 'true')
    for (let turn = 0; turn < runs; turn += 1) {
      await note('run', () => executed(bench, 'true'))
      await note('bare run', () => bare('true'))
      await note('first byte', () => firstByte(bench))
      await note('bare first byte', bareFirstByte)
    }
    for (let turn = 0; turn < prints; turn += 1) {
      await note('print', () => printed(bench, bytes, numbers))
      await note('bare print', () => bare(printing(bytes)))
    }
    for (let turn = 0; turn < runs; turn += 1) {
      await note('kill', () => killed(bench, numbers))
      await note('bare kill', bareKilled)
    }
    return { ms: performance.now() - began, series, numbers }
  } finally {
    await bench.close()
  }
}

/** A step that never ends must not keep the whole benchmark. */
async function inTime<T>(name: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`"${name}" did not end in ${STEP_MS} ms`)), STEP_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** From the click, which is when an approved plan is handed over, to the end of its run. */
async function executed(bench: Bench, text: string): Promise<number> {
  const plan = await bench.runs.planScript(bench.script('a.sh', text))
  const began = performance.now()
  await bench.execute(plan)
  return performance.now() - began
}

/** From the click to the first byte that a page could show. */
async function firstByte(bench: Bench): Promise<number> {
  const plan = await bench.runs.planScript(bench.script('echo.sh', 'echo x'))
  bench.claimed.length = 0
  const began = performance.now()
  const running = bench.execute(plan)
  await bench.seen(/x/)
  const took = performance.now() - began
  await running
  return took
}

/** Beside a window that looks and takes nothing: what waits for it is counted as it is sent. */
async function printed(bench: Bench, bytes: number, numbers: Numbers): Promise<number> {
  const plan = await bench.runs.planScript(bench.script('lines.sh', printing(bytes)))
  bench.claimed.length = 0
  const began = performance.now()
  const running = bench.execute(plan)
  await bench.seen(/./)
  const queued = slowWindow(bench, bench.claimed.at(-1)!)
  const { run } = await running
  const took = performance.now() - began
  numbers.lost += bytes - run.outputBytes
  numbers.queued = Math.max(numbers.queued, queued())
  return took
}

/** Opens the output as a window does, and acknowledges nothing. Gives how many bytes were sent until now. */
function slowWindow(bench: Bench, runId: string): () => number {
  let sent = 0
  const contract = { 'runs.output': stream(z.object({ runId: z.string() }), OutputChunk) }
  const handlers: Handlers<typeof contract> = {
    'runs.output': (input, signal) => bench.runs.output(input.runId, 0, signal),
  }
  const port: Port = {
    post: (message) => (sent += Buffer.byteLength(JSON.stringify(message))),
    onMessage: (listen) => listen({ t: 'open', id: 1, name: 'runs.output', input: { runId } }),
    onClose: () => undefined,
  }
  serve(contract, handlers, port, { onInternalError: (_name, error) => fail(error) })
  return () => sent
}

function fail(error: unknown): never {
  throw error
}

function printing(bytes: number): string {
  return `yes ${'output '.repeat(14)} | head -c ${bytes}`
}

/** Until every process of the tree is gone; the run's own end comes later. */
async function killed(bench: Bench, numbers: Numbers): Promise<number> {
  bench.claimed.length = 0
  const running = bench.run('tree.sh', TREE)
  await bench.seen(/ready/)
  const runs = new Set(bench.claimed)
  const tree = processesOfRuns(runs)
  const began = performance.now()
  await bench.runs.kill(bench.claimed.at(-1)!, true)
  await goneAll(tree)
  const took = performance.now() - began
  await running
  numbers.survivors += processesOfRuns(runs).length
  return took
}

function open(command: string) {
  const env = { PATH: '/usr/bin:/bin' }
  return spawn('/bin/bash', ['-c', command], { cols: 80, rows: 30, cwd: '/', env, encoding: null })
}

/** From the start to the end of a command whose terminal is read and thrown away. */
function bare(command: string): Promise<number> {
  const began = performance.now()
  return new Promise((resolve) => {
    const pty = open(command)
    // A terminal that nobody reads holds the program back.
    pty.onData(() => undefined)
    pty.onExit(() => resolve(performance.now() - began))
  })
}

function bareFirstByte(): Promise<number> {
  const began = performance.now()
  return new Promise((resolve) => {
    let at = 0
    const pty = open('echo x')
    pty.onData(() => (at ||= performance.now()))
    // node-pty loses what is printed just before the end: then the end counts.
    pty.onExit(() => resolve((at || performance.now()) - began))
  })
}

async function bareKilled(): Promise<number> {
  const pty = open(TREE.replace('setsid ', ''))
  const ended = new Promise((resolve) => pty.onExit(resolve))
  await new Promise<void>((resolve) => pty.onData(() => resolve()))
  const tree = [pty.pid, ...descendantsOf(pty.pid)]
  const began = performance.now()
  process.kill(-pty.pid, 'SIGKILL')
  await goneAll(tree)
  const took = performance.now() - began
  await ended
  return took
}

async function goneAll(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await new Promise((resolve) => setImmediate(resolve))
}

/** A process that only waits to be noticed as ended is gone. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
