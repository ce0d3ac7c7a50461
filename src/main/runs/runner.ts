import {
  fstatSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  watch as watchFile,
  writeFileSync,
} from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { RunPlan } from '@shared/domain/approval'
import type { NetworkRecord } from '@shared/domain/run'
import { faultPoint } from '../lib/fault-point'
import { endChannel, feed, foundIn, type Channel } from './channel'
import { OWN_PROCESSES } from './limiter'
import { OUTPUT_STOP_BYTES } from './limits'
import {
  discard,
  later,
  prepare,
  sayErrorsLost,
  sayNetwork,
  sayReached,
  sayShortened,
  settle,
} from './live-run'
import type { LiveRun, RunnerDeps, StopCause } from './live-run'
import type { LiveLog } from './output-log'
import { ERRORS_LOST, sandboxSaid, SANDBOX_WORDS } from './error-pipe'
import { groupOf, killRuns, signal } from './process-tree'
import type { NotLooked } from './outcome'
import { openTerminal } from './pty'
import type { Terminal } from './pty'
import type { Excerpt } from './text'
import { filterKeys, fullScreenKeys } from './terminal-input'
import { excessOf, usageOf } from './watchdog'

/** How a process ended. */
export interface RunnerEnd {
  /** False: the sandbox failed before the script's first instruction (SB-3). */
  started: boolean
  /** Why it was not started, where Satchel itself did not: a sentence with what a person can do. */
  refused?: string
  exitCode: number | null
  cause: StopCause | null
  outputBytes: number
  /** The log lacks something. */
  logTruncated: boolean
  stdout: Excerpt
  stderr: Excerpt
  durationMs: number
  /** Protected paths that the script made and that were moved away. */
  moved: string[]
  /** Not all that it made could be looked at. */
  notLooked?: NotLooked
  /** Null: it had none, or nothing confined it. */
  network: NetworkRecord | null
  /** Names of secrets that were taken out of the output. */
  printedSecrets: string[]
}

export interface RunningProcess {
  readonly pid: number
  readonly live: LiveLog
  /** Characters of its output that a terminal had which answers what they ask. */
  answered: number
  /** Asks the script to end, and ends the sandbox after the grace time; `force`: at once. */
  stop(cause: StopCause, force: boolean): void
  input(data: string): void
  resize(cols: number, rows: number): void
  readonly ended: Promise<RunnerEnd>
}

/** A wrapper that doesn't report this long after its sandbox ended hangs in its terminal. */
const REPORT_MS = 2000
const ERR_POLL_MS = 40
/** What is printed as errors sooner after a look waits for the next one: the app stays responsive. */
const ERR_FOLLOW_MS = 4
const WATCH_MS = 1000
/** Of each window so much time at most goes to what a terminal brings: the app stays responsive beside an endless printer. */
const WINDOW_MS = 16
const WINDOW_BUSY_MS = 10
const ERR_BLOCK = 65_536
/** Of the wrapper's, beside what it runs. */
const ERROR_READERS = 1
/** Blocks of standard error taken at one look. */
const ERR_BLOCKS = 16

/**
 * Starts a plan. Throws when it can't be wrapped or when the disk takes no more: nothing runs then. Null: it was stopped
 * before it started.
 */
export async function startRun(deps: RunnerDeps, plan: RunPlan): Promise<RunningProcess | null> {
  const context = await prepare(deps, plan)
  const startedAt = performance.now()
  let terminal: Terminal
  try {
    if (deps.isStopped()) {
      await settle(context)
      discard(context)
      return null
    }
    terminal = open(context)
  } catch (error) {
    void settle(context).finally(() => discard(context))
    throw error
  }
  context.terminal = terminal
  const poll = setInterval(() => {
    dropArguments(context)
    readErr(context, false)
  }, ERR_POLL_MS)
  const errors = followErrors(context)
  const watch = setInterval(() => endExcess(context), WATCH_MS)
  later(context, plan.timeoutMs, () => stop(context, 'timeout', false))
  const ended = terminal.done.then((exitCode) => {
    clearInterval(poll)
    clearInterval(watch)
    errors?.close()
    return finish(context, exitCode, startedAt)
  })
  return {
    pid: terminal.pid,
    live: context.log.live,
    answered: 0,
    stop: (cause, force) => stop(context, cause, force),
    input: (data) => input(context, data),
    resize: (cols, rows) => terminal.resize(cols, rows),
    ended,
  }
}

function open(context: LiveRun): Terminal {
  const { deps, plan, dir } = context
  // Where nothing confines a script, nothing keeps it from a file of the person's.
  const errors = deps.backend.id === 'none' ? null : { pipe: join(dir, 'errors'), file: join(dir, 'err') }
  const wrapped = deps.backend.wrap(plan, {
    ...deps.place,
    ...context.opened,
    network: context.network?.socket ?? null,
    inside: deps.limited.inside,
    errors: errors?.pipe ?? null,
  })
  // What a scope needs of the app's environment would reach a script that nothing confines.
  const scope = deps.backend.id === 'none' ? { prefix: [], env: {} } : deps.limited
  const argsFile = wrapped.options.length === 0 ? '/dev/null' : join(dir, 'args')
  if (wrapped.options.length > 0) {
    writeFileSync(argsFile, wrapped.options.map((option) => `${option}\0`).join(''), { mode: 0o600 })
  }
  const closed = plan.stdin === null ? '/dev/null' : join(dir, 'stdin')
  return openTerminal(
    {
      shell: deps.shell,
      argv: [...scope.prefix, ...wrapped.argv],
      join: deps.limited.join,
      limits: deps.limits,
      env: { ...wrapped.env, ...scope.env },
      cwd: wrapped.cwd,
      errFile: join(dir, errors ? SANDBOX_WORDS : 'err'),
      errors,
      statusFile: join(dir, 'status'),
      argsFile,
      inFile: plan.interactive ? null : closed,
      fullScreen: plan.fullScreen === true,
    },
    (bytes) => {
      faultPoint('run.output')
      const began = performance.now()
      take(context, context.out, bytes)
      holdBack(context, began)
    },
  )
}

function take(context: LiveRun, to: Channel, bytes: Uint8Array): void {
  context.bytes += bytes.length
  if (context.bytes > OUTPUT_STOP_BYTES) {
    // Also when the script has ended by now: what is behind the limit is not read.
    context.cause ??= 'output'
    return stop(context, 'output', true)
  }
  feed(to, context.log, bytes)
}

/** Stops reading the terminal for the rest of a window that took enough time; the script waits meanwhile. */
function holdBack(context: LiveRun, began: number): void {
  const { window, terminal } = context
  const now = performance.now()
  if (began - window.since >= WINDOW_MS) Object.assign(window, { since: began, busyMs: 0 })
  window.busyMs += now - began
  if (window.busyMs < WINDOW_BUSY_MS || !terminal) return
  window.busyMs = 0
  terminal.pause()
  later(context, Math.max(1, window.since + WINDOW_MS - now), () => terminal.resume())
}

/**
 * Reads standard error as it arrives, so that it stands among what was printed meanwhile about where it was printed. Null:
 * the system watches no more files; then the look at intervals is left.
 */
function followErrors(context: LiveRun): FSWatcher | null {
  let last = 0
  try {
    const watcher = watchFile(join(context.dir, 'err'), () => {
      const now = performance.now()
      if (context.over || now - last < ERR_FOLLOW_MS) return
      last = now
      readErr(context, false)
    })
    return watcher.on('error', () => watcher.close())
  } catch {
    // What is missed here, the next look at it takes.
    return null
  }
}

/** What arrived on standard error; at the end everything, else so much that the app stays responsive. */
function readErr(context: LiveRun, all: boolean): void {
  if (isErrChanged(context)) return
  const block = Buffer.alloc(ERR_BLOCK)
  const most = all ? Infinity : ERR_BLOCKS
  for (let blocks = 0; blocks < most; blocks += 1) {
    if (context.bytes > OUTPUT_STOP_BYTES) return
    const read = readSync(context.errFile, block, 0, ERR_BLOCK, context.errRead)
    if (read === 0) return
    context.errRead += read
    take(context, context.err, block.subarray(0, read))
  }
}

/**
 * A script that nothing confines can open the file behind its standard error again, and make it larger or shorter than what it printed. True:
 * it is larger than any output may be, and the run is stopped.
 */
function isErrChanged(context: LiveRun): boolean {
  const { size, blocks } = fstatSync(context.errFile)
  if (Math.max(size, blocks * 512) > OUTPUT_STOP_BYTES) {
    context.cause ??= 'output'
    stop(context, 'output', true)
    return true
  }
  if (size < context.errRead) {
    context.errRead = 0
    sayShortened(context)
  }
  return false
}

/** Variables are among the options of the sandbox: they leave the disk as soon as it has read them. */
function dropArguments({ dir }: LiveRun): void {
  if ((statSync(join(dir, 'status'), { throwIfNoEntry: false })?.size ?? 0) > 0)
    rmSync(join(dir, 'args'), { force: true })
}

function input(context: LiveRun, data: string): void {
  if (context.plan.fullScreen) return context.terminal?.write(fullScreenKeys(data))
  const { interrupt, text } = filterKeys(data)
  if (text !== '') context.terminal?.write(text)
  if (interrupt) signalScript(context, 'SIGINT')
}

function endExcess(context: LiveRun): void {
  const { terminal, deps, plan, over } = context
  if (!terminal || over) return
  const most = { ...deps.limits, processes: deps.limits.processes + OWN_PROCESSES + ERROR_READERS }
  const excess = excessOf(usageOf(terminal.pid, plan.workspace, most.processes), most, context.diskFree)
  if (excess !== null) stop(context, excess, true)
}

function stop(context: LiveRun, cause: StopCause, force: boolean): void {
  if (context.over) return
  const first = context.cause === null
  context.cause ??= cause
  if (force) return endSandbox(context)
  if (!first) return
  if (!signalScript(context, 'SIGTERM')) return endSandbox(context)
  later(context, context.deps.graceMs, () => endSandbox(context))
}

/** Signals the script and what it started in its own group; false when it isn't there yet. */
function signalScript(context: LiveRun, name: NodeJS.Signals): boolean {
  const { terminal, deps } = context
  if (!terminal || context.over) return false
  const wrapperGroup = groupOf(terminal.pid)
  const scripts = deps.backend.scriptProcesses(terminal.pid)
  for (const pid of scripts) {
    const group = groupOf(pid)
    signal(group !== null && group !== wrapperGroup ? -group : pid, name)
  }
  return scripts.length > 0
}

function endSandbox(context: LiveRun): void {
  const { terminal, deps } = context
  if (!terminal || context.over) return
  deps.backend.end(terminal.pid)
  later(context, REPORT_MS, () => terminal.abandon())
}

/** All that was printed as errors, the words of the sandbox where no script ran, and what its report says. */
function readRest(context: LiveRun, exitCode: number | null): { started: boolean; isLost: boolean } {
  const { deps, dir, network } = context
  readErr(context, true)
  const status = readFileSync(join(dir, 'status'), 'utf8')
  const started = deps.backend.scriptStarted(status, exitCode) && network?.isReady() !== false
  if (!started) take(context, context.err, sandboxSaid(dir))
  const isLost = status.includes(ERRORS_LOST)
  if (isLost) sayErrorsLost(context)
  return { started, isLost }
}

async function finish(context: LiveRun, exitCode: number | null, startedAt: number): Promise<RunnerEnd> {
  const { deps, log } = context
  const durationMs = Math.round(performance.now() - startedAt)
  context.over = true
  // Where nothing ties processes to the run, or where it was cut short, what is left is looked for by its mark.
  if (context.cause !== null || exitCode === null || !deps.backend.capabilities.treeKill) {
    killRuns(new Set([deps.place.runId]))
  }
  const { started, isLost } = readRest(context, exitCode)
  sayReached(context)
  sayNetwork(context)
  for (const channel of [context.out, context.err]) endChannel(channel, log)
  const { moved, notLooked } = await settle(context)
  discard(context)
  return {
    started,
    exitCode,
    cause: context.cause,
    outputBytes: context.bytes,
    logTruncated: log.truncated() || isLost,
    stdout: context.out.collector.excerpt(),
    stderr: context.err.collector.excerpt(),
    durationMs,
    moved,
    ...(notLooked ? { notLooked } : {}),
    network: context.network?.record() ?? null,
    printedSecrets: [...new Set([context.out, context.err].flatMap(foundIn))],
  }
}
