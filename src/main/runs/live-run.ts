import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunLimits, RunPlan } from '@shared/domain/approval'
import { isInside } from '../lib/contain'
import { faultPoint } from '../lib/fault-point'
import type { HeldSecret } from '../lib/redact'
import { cleaner, createChannel, type Channel } from './channel'
import { openJournal, openPlainJournal, settleJournal } from './journal'
import type { Opened } from './journal'
import type { LimitedRun } from './limiter'
import { OUTPUT_KEPT_BYTES } from './limits'
import { gigabytes, NOT_LOOKED, type NotLooked } from './outcome'
import { createOutputLog } from './output-log'
import type { Names } from './network/addresses'
import { openNetwork } from './network/open'
import type { RunNetwork } from './network/open'
import { reachedWords } from './network/reached'
import type { OutputLog } from './output-log'
import type { Terminal } from './pty'
import type { RunPlace, SandboxBackend } from './sandbox/backend'
import type { OuterSettings } from './sandbox/git-named'
import { diskFree } from './watchdog'
import type { Excess } from './watchdog'

/** Why a run was ended from outside. The first cause counts. */
export type StopCause = 'timeout' | 'person' | 'cancelled' | 'output' | 'quit' | Excess

export interface RunnerDeps {
  backend: SandboxBackend
  limited: LimitedRun
  limits: RunLimits
  place: Omit<RunPlace, 'covers' | 'nested' | 'inside' | 'network' | 'errors'>
  /** Git's settings that count in every repository of the person. */
  git: OuterSettings
  /** Where names of hosts are asked for. */
  names: Names
  /** Folder of logs and of the runs' own files. */
  folder: string
  /** Where files go that the script was not allowed to make. */
  quarantine: string
  /** bash, for the wrapper. */
  shell: string
  graceMs: number
  /** What must not be seen of the output. */
  secrets: readonly HeldSecret[]
  /** True: it was stopped while the project was looked through, and must not start. */
  isStopped: () => boolean
  /** Something around the run failed; the run goes on. */
  onProblem: (what: string, error: unknown) => void
  /** The log can't be written any more: what the script prints from then on is not kept. Called once. */
  onLost: (error: unknown) => void
}

/** A run from its preparation until nothing of it is left. */
export interface LiveRun {
  deps: RunnerDeps
  plan: RunPlan
  /** The run's own folder, gone after the run. */
  dir: string
  opened: Opened
  /** Null: it has none, or nothing confines it. */
  network: RunNetwork | null
  errFile: number
  errRead: number
  log: OutputLog
  out: Channel
  err: Channel
  bytes: number
  /** When the window began, and the time that output took in it. */
  window: { since: number; busyMs: number }
  cause: StopCause | null
  /** Before the run; null: unknown. */
  diskFree: number | null
  timers: Set<NodeJS.Timeout>
  terminal: Terminal | null
  over: boolean
}

/** Its folder, journal, log and covers. Throws when the disk takes no more: nothing of it is left then. */
export async function prepare(deps: RunnerDeps, plan: RunPlan): Promise<LiveRun> {
  const { folder, place } = deps
  const dir = join(folder, place.runId)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  let network: RunNetwork | null = null
  try {
    writeFileSync(join(dir, 'err'), '', { mode: 0o600 })
    writeFileSync(join(dir, 'status'), '', { mode: 0o600 })
    if (plan.stdin !== null) writeFileSync(join(dir, 'stdin'), plan.stdin, { mode: 0o600 })
    const opened = await journal(deps, plan, dir)
    network = openNetwork({ names: deps.names, clean: cleaner(deps.secrets) }, plan.sandbox, dir)
    faultPoint('run.after-journal')
    return {
      deps,
      plan,
      dir,
      opened,
      network,
      errFile: openSync(join(dir, 'err'), 'r'),
      errRead: 0,
      log: createOutputLog({
        folder,
        runId: place.runId,
        keep: OUTPUT_KEPT_BYTES,
        onError: deps.onLost,
      }),
      out: createChannel('out', deps.secrets),
      err: createChannel('err', deps.secrets),
      bytes: 0,
      window: { since: 0, busyMs: 0 },
      cause: null,
      diskFree: diskFree(plan.workspace),
      timers: new Set(),
      terminal: null,
      over: false,
    }
  } catch (error) {
    network?.close()
    void takeDown(deps, dir)
    throw error
  }
}

/** Of a run that never was: nothing can have been made. What is left, the next start takes. */
async function takeDown({ quarantine, secrets, onProblem }: RunnerDeps, dir: string): Promise<void> {
  try {
    await settleJournal(dir, { dir: quarantine, clean: cleaner(secrets) })
    rmSync(dir, { recursive: true, force: true })
  } catch (error) {
    onProblem('What was made for a run could not be removed', error)
  }
}

/** What is not there yet can only be covered where there are mounts, and needs it only where the script may write. */
function journal(
  { backend, git }: RunnerDeps,
  { workspace, sandbox }: RunPlan,
  dir: string,
): Promise<Opened> {
  if (!backend.capabilities.fsWrite) return openPlainJournal(dir, workspace, [workspace], git)
  if (sandbox.writable.includes(workspace)) return openJournal(dir, workspace, git)
  const roots = sandbox.writable.filter((path) => isInside(workspace, path))
  return openPlainJournal(dir, workspace, roots, git)
}

/** What one process more, or one byte more, would have exceeded was refused to the script; it may not say so itself. */
export function sayReached(context: LiveRun): void {
  const { limited, limits } = context.deps
  for (const limit of limited.reached()) {
    if (limit === 'processes') note(context, `let no more than ${limits.processes} processes run at once`)
    else
      note(context, `let it use no more than ${gigabytes(limits.memoryBytes)} of memory: a process was ended`)
  }
}

/** By a full disk. */
export function sayErrorsLost(context: LiveRun): void {
  note(context, 'could not keep all that it printed as errors')
}

/** What was read of it before is kept. */
export function sayShortened(context: LiveRun): void {
  note(context, 'saw the script take back what it had printed as errors; what was seen by then is kept')
}

/** Which hosts it reached and was refused, for the person and the model. */
export function sayNetwork(context: LiveRun): void {
  const words = context.network && reachedWords(context.network.record())
  if (words) note(context, `watched its network: ${words}`)
}

/** Moves away what must not be there; both outcomes are said in the output. */
export async function settle(context: LiveRun): Promise<{ moved: string[]; notLooked: NotLooked | null }> {
  const clean = cleaner(context.deps.secrets, context.err.lateNames)
  try {
    const settled = await settleJournal(context.dir, { dir: context.deps.quarantine, clean })
    const { moved, replaced, appeared, complete, tooMany, closed } = settled
    if (moved.length > 0)
      note(context, `moved away what a script may not make in a project: ${moved.join(', ')}`)
    if (replaced.length > 0) {
      const what = 'moved away what somebody replaced while the script ran, which could then write there'
      note(context, `${what}: ${replaced.join(', ')}. It is under "quarantine" in Satchel's data`)
    }
    if (appeared.length > 0)
      note(context, `saw these being made while the script ran, not by it: ${appeared.join(', ')}`)
    if (closed.length > 0)
      note(context, `could not look into folders that the script closed: ${namesOf(closed)}. ${NOT_LOOKED}`)
    if (tooMany) note(context, `did not look into all folders that the script made: ${NOT_LOOKED}`)
    else if (!complete) {
      note(
        context,
        'did not look into all folders of this project, it has too many: what git and editors trust in them was not checked',
      )
    }
    return {
      moved: [...moved, ...replaced],
      notLooked: tooMany ? 'too-many' : closed.length > 0 ? 'closed' : null,
    }
  } catch (error) {
    const reason = clean(String(error))
    context.deps.onProblem('Protected paths could not be settled after a run', reason)
    note(context, 'could not check the protected paths of the project (.git and others). Look at them')
    return { moved: [], notLooked: 'error' }
  }
}

/** A few of them; the rest is counted. */
function namesOf(paths: readonly string[]): string {
  const [shown, more] = [paths.slice(0, 5).join(', '), paths.length - 5]
  return more > 0 ? `${shown} and ${more} more` : shown
}

function note(context: LiveRun, text: string): void {
  const line = `\n[Satchel ${text}]\n`
  context.err.collector.push(line)
  context.log.append('err', line, 0)
}

/** Closes what is open and removes the folder of the run. */
export function discard(context: LiveRun): void {
  for (const timer of context.timers) clearTimeout(timer)
  context.log.close()
  closeSync(context.errFile)
  context.network?.close()
  context.deps.limited.close()
  rmSync(context.dir, { recursive: true, force: true })
}

/** Once, unless the run is discarded before; milliseconds. */
export function later(context: LiveRun, ms: number, action: () => void): void {
  const timer = setTimeout(() => {
    context.timers.delete(timer)
    action()
  }, ms)
  context.timers.add(timer)
}
