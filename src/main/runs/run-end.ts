import type { NetworkRecord, Run } from '@shared/domain/run'
import { AppError, isNoSpace, toWire } from '@shared/errors'
import type { RunEnd } from '../db/run-rows'
import { faultPoint } from '../lib/fault-point'
import { outputDigests } from '../lib/output-digest'
import type { HeldWrites } from '../lib/held-writes'
import { getRun, scriptName } from './context'
import type { Context } from './context'
import type { StopCause } from './live-run'
import { signalOf, statusOf, statusText } from './outcome'
import type { RunnerEnd } from './runner'
import type { RunOutcome, RunTicket } from './types'

export interface Notices {
  /** Tells the person, as a warning. Left out: nobody is told. */
  notice?: (message: string) => void
}

/** What executing needs besides: ends of runs that a full disk refused, held and shown from memory until saved. */
export interface ExecuteContext extends Context {
  notice: (message: string) => void
  held: HeldWrites
  unsaved: Map<string, RunEnd>
}

/** A run as it is now, also where its row lags behind. Throws `not_found`. */
export function runNow(context: ExecuteContext, runId: string): Run {
  const run = { ...getRun(context, runId), ...context.unsaved.get(runId) }
  return context.running.get(runId)?.live.lost() ? { ...run, truncated: true } : run
}

/** Writes the end. The row first, then whoever waits; where the disk is full the row follows later. */
export function settle(
  context: ExecuteContext,
  ticket: RunTicket,
  runId: string,
  end: RunnerEnd,
): RunOutcome {
  const { deps } = context
  const row: RunEnd = {
    status: statusOf(end),
    exitCode: end.exitCode,
    signal: signalOf(end.exitCode),
    outputBytes: end.outputBytes,
    truncated: end.logTruncated,
    endedAt: deps.now(),
  }
  saveOrHold(context, runId, row, () => writeEnd(context, ticket, runId, { end, row }))
  faultPoint('run.after-end')
  context.running.delete(runId)
  deps.changed(runId)
  return {
    run: runNow(context, runId),
    stdout: end.stdout.text,
    stderr: end.stderr.text,
    truncated: end.stdout.truncated || end.stderr.truncated,
    durationMs: end.durationMs,
    network: end.network,
    printedSecrets: end.printedSecrets,
    statusText: statusText(end, ticket.plan),
    ...(end.refused === undefined ? {} : { refused: end.refused }),
  }
}

function saveOrHold(context: ExecuteContext, runId: string, row: RunEnd, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!isNoSpace(error)) throw error
    context.deps.log.warn('The end of a run is not saved yet: the disk is full', { runId })
    context.unsaved.set(runId, row)
    context.held.hold(runId, () => {
      write()
      context.unsaved.delete(runId)
      context.deps.changed(runId)
    })
  }
}

function writeEnd(
  { deps, rows, folder }: ExecuteContext,
  ticket: RunTicket,
  runId: string,
  { end, row }: { end: RunnerEnd; row: RunEnd },
): void {
  deps.db.durable(() => {
    // Between two tries another program may have taken it for left behind.
    const before = rows.get(runId)
    if (before?.status !== 'running') return
    faultPoint('run.before-end')
    rows.finish(runId, row)
    recordRefused(deps, ticket, runId, end.network)
    deps.audit({
      actor: 'app',
      action: 'run.finished',
      sessionId: ticket.sessionId,
      target: scriptName(ticket.plan),
      data: {
        runId,
        status: row.status,
        exitCode: end.exitCode,
        outputBytes: end.outputBytes,
        outputSha256: outputDigests(folder)(runId),
        durationMs: end.durationMs,
        wallMs: row.endedAt - before.startedAt,
        cause: end.cause,
        moved: end.moved,
        ...(end.network ? { network: end.network } : {}),
        ...(end.printedSecrets.length > 0 ? { printedSecrets: end.printedSecrets } : {}),
      },
    })
  })
}

/** Hosts that it wanted and was not let reach: for who looks for what was blocked. */
function recordRefused(
  { audit }: Context['deps'],
  { plan, sessionId }: RunTicket,
  runId: string,
  network: NetworkRecord | null,
): void {
  if (network === null || network.refused.length === 0) return
  const data = { runId, skill: plan.skill?.name ?? null, refused: network.refused }
  audit({ actor: 'app', action: 'security.blocked', sessionId, target: network.refused[0]?.host ?? '', data })
}

/** The end of a run that was stopped before its first instruction. */
export function stoppedEarly(cause: StopCause): RunnerEnd {
  return { ...without(new AppError('cancelled', 'It was stopped before it started.'), false), cause }
}

/** The end of a run of which nothing is known but the error. */
export function without(error: unknown, started: boolean): RunnerEnd {
  return {
    started,
    ...(error instanceof AppError && !started ? { refused: error.message } : {}),
    exitCode: null,
    cause: null,
    outputBytes: 0,
    logTruncated: false,
    stdout: { text: '', truncated: false },
    stderr: { text: toWire(error).message, truncated: false },
    durationMs: 0,
    moved: [],
    network: null,
    printedSecrets: [],
  }
}
