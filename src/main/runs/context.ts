import type { RunPlan } from '@shared/domain/approval'
import type { Run } from '@shared/domain/run'
import { AppError } from '@shared/errors'
import type { RunRows } from '../db/run-rows'
import type { Interpreters } from './interpreters'
import type { Limiter } from './limiter'
import type { StopCause } from './live-run'
import type { RunningProcess } from './runner'
import type { SandboxState } from './sandbox/state'
import type { RunsDeps } from './types'

/** What the parts of the service share. */
export interface Context {
  deps: RunsDeps
  rows: RunRows
  interpreters: Interpreters
  sandbox: SandboxState
  limiter: Limiter
  /** Logs and the files of running runs. */
  folder: string
  running: Map<string, RunningProcess>
  /** Runs whose project is still looked through. */
  starting: Map<string, Starting>
  /** Runs that are not yet written as ended. */
  open: Set<Promise<unknown>>
  closed: boolean
}

export interface Starting {
  /** Keeps it from starting. */
  giveUp(cause: StopCause): void
  /** Resolves when it is among the running ones, or will not be. */
  over: Promise<unknown>
}

/** Throws `not_found`. */
export function getRun(context: Context, runId: string): Run {
  const run = context.rows.get(runId)
  if (!run) throw new AppError('not_found', 'This run is not on record.')
  return run
}

/** What a run is called in rows and records. */
export function scriptName(plan: RunPlan): string {
  return plan.script?.path ?? (plan.kind === 'prepare' ? 'Prepare' : 'Bash')
}
