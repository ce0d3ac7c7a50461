import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '@shared/canonical-json'
import type { RunPlan } from '@shared/domain/approval'
import { AppError, toWire } from '@shared/errors'
import { newId } from '../lib/ids'
import { planHash as hashOf } from '../lib/plan-hash'
import { getRun, scriptName } from './context'
import type { Context } from './context'
import { isProgram } from './interpreters'
import { signalOf, statusOf, statusText } from './outcome'
import { startTimeOf } from './process-tree'
import { startRun } from './runner'
import type { RunnerEnd, RunningProcess } from './runner'
import type { SandboxBackend } from './sandbox/backend'
import { findProgram } from './sandbox/probe'
import type { RunOutcome, RunTicket } from './types'
import { resolveWorkdir, resolveWorkspace } from './workdir'

const GRACE_MS = 3000

/** One plan from its last check to its row as ended (`Runs.execute`). */
export async function execute(context: Context, ticket: RunTicket, signal: AbortSignal): Promise<RunOutcome> {
  const backend = await check(context, ticket)
  if (signal.aborted) throw new AppError('cancelled', 'The turn was stopped before the script started.')
  if (context.closed) throw new AppError('not_ready', 'Satchel is closing. Start it again to run scripts.')
  const runId = newId('run')
  insert(context, ticket, runId, backend)
  const ended = runToEnd(context, ticket, runId, { backend, signal })
  context.deps.changed(runId)
  context.open.add(ended)
  try {
    return await ended
  } finally {
    context.open.delete(ended)
  }
}

/** Everything that can have changed between the plan and now. Throws before the approval is spent. */
async function check(context: Context, ticket: RunTicket): Promise<SandboxBackend> {
  const { plan, planHash } = ticket
  if (hashOf(plan) !== planHash) stale('The plan is not the one that was allowed.')
  const backend = await context.sandbox.backend()
  if (canonicalJson(backend.describe(plan.workspace)) !== canonicalJson(plan.sandbox)) {
    stale('The sandbox of this computer changed since the script was allowed.')
  }
  const verified = await Promise.all(
    plan.mounts.map((mount) => context.deps.verifySnapshot(mount.treeDigest)),
  )
  const broken = plan.mounts.find((_, index) => verified[index] !== true)
  if (broken) stale(`Satchel's copy of "${broken.name}" was changed on disk.`)
  if (!isProgram(plan.interpreter.path)) {
    throw new AppError(
      'no_interpreter',
      `${plan.interpreter.name} is no longer at ${plan.interpreter.path}. Ask for the run again.`,
    )
  }
  const workspace = resolveWorkspace(plan.workspace, context.deps.env['HOME'])
  if (workspace !== plan.workspace || resolveWorkdir(workspace, plan.cwd) !== plan.cwd) {
    stale('The folder of the run was moved since the script was allowed.')
  }
  return backend
}

function insert(context: Context, ticket: RunTicket, runId: string, backend: SandboxBackend): void {
  const { deps, rows } = context
  const { plan } = ticket
  deps.db.durable(() => {
    ticket.claim(runId)
    rows.insert({
      id: runId,
      requestId: ticket.requestId,
      sessionId: ticket.sessionId,
      callId: ticket.callId,
      skillKey: plan.skill?.key ?? null,
      skillName: plan.skill?.name ?? '',
      script: scriptName(plan),
      treeDigest: plan.skill?.treeDigest ?? '',
      planHash: ticket.planHash,
      argv: plan.argv,
      cwd: plan.cwd,
      backend: backend.id,
      capabilities: { ...backend.capabilities },
      interactive: plan.interactive,
      startedAt: deps.now(),
    })
    deps.audit({
      actor: 'agent',
      action: 'run.started',
      sessionId: ticket.sessionId,
      target: scriptName(plan),
      data: {
        runId,
        requestId: ticket.requestId,
        planHash: ticket.planHash,
        argv: plan.argv,
        cwd: plan.cwd,
        interpreter: { path: plan.interpreter.path, version: plan.interpreter.version },
        sandbox: plan.sandbox.label,
        mounts: plan.mounts,
      },
    })
  })
}

async function runToEnd(
  context: Context,
  ticket: RunTicket,
  runId: string,
  how: { backend: SandboxBackend; signal: AbortSignal },
): Promise<RunOutcome> {
  const { deps } = context
  let process: RunningProcess
  try {
    process = start(context, ticket.plan, runId, how.backend)
  } catch (error) {
    deps.log.error('A run could not be started', error)
    return settle(context, ticket, runId, without(error, false))
  }
  const abort = () => process.stop('cancelled', false)
  how.signal.addEventListener('abort', abort)
  context.running.set(runId, process)
  try {
    noteProcess(context, runId, process.pid)
    const end = await process.ended.catch((error: unknown) => {
      deps.log.error('The end of a run could not be read', error)
      return without(error, true)
    })
    return settle(context, ticket, runId, end)
  } finally {
    how.signal.removeEventListener('abort', abort)
    context.running.delete(runId)
  }
}

/** For the sweep after a crash. Without it the sweep still has the mark in the environment. */
function noteProcess(context: Context, runId: string, pid: number): void {
  try {
    context.deps.db.tx(() => context.rows.setProcess(runId, pid, startTimeOf(pid)))
  } catch (error) {
    context.deps.log.error('The process of a run could not be noted', error)
  }
}

function start(context: Context, plan: RunPlan, runId: string, backend: SandboxBackend): RunningProcess {
  const { deps, folder } = context
  const shell = findProgram('bash', `/bin:/usr/bin:${deps.env['PATH'] ?? ''}`)
  if (shell === null)
    throw new AppError('sandbox_failed', 'bash is not installed. Install it, then try again.')
  if (backend.id === 'none') mkdirSync(backend.home, { recursive: true, mode: 0o700 })
  return startRun(
    {
      backend,
      place: { runId, snapshotDir: deps.snapshotDir, dataDir: deps.dataDir },
      folder,
      quarantine: join(deps.dataDir, 'quarantine', runId),
      shell,
      graceMs: deps.graceMs ?? GRACE_MS,
      onProblem: (what, error) => deps.log.error(what, error),
    },
    plan,
  )
}

/** Writes the end. The row first, then whoever waits. */
function settle(context: Context, ticket: RunTicket, runId: string, end: RunnerEnd): RunOutcome {
  const { deps, rows } = context
  const status = statusOf(end)
  const text = statusText(end, ticket.plan.timeoutMs)
  deps.db.durable(() => {
    rows.finish(runId, {
      status,
      exitCode: end.exitCode,
      signal: signalOf(end.exitCode),
      outputBytes: end.outputBytes,
      truncated: end.logTruncated,
      endedAt: deps.now(),
    })
    deps.audit({
      actor: 'app',
      action: 'run.finished',
      sessionId: ticket.sessionId,
      target: scriptName(ticket.plan),
      data: {
        runId,
        status,
        exitCode: end.exitCode,
        outputBytes: end.outputBytes,
        durationMs: end.durationMs,
        cause: end.cause,
        moved: end.moved,
      },
    })
  })
  context.running.delete(runId)
  deps.changed(runId)
  return {
    run: getRun(context, runId),
    stdout: end.stdout.text,
    stderr: end.stderr.text,
    truncated: end.stdout.truncated || end.stderr.truncated,
    durationMs: end.durationMs,
    statusText: text,
  }
}

/** The end of a run of which nothing is known but the error. */
function without(error: unknown, started: boolean): RunnerEnd {
  return {
    started,
    exitCode: null,
    cause: null,
    outputBytes: 0,
    logTruncated: false,
    stdout: { text: '', truncated: false },
    stderr: { text: toWire(error).message, truncated: false },
    durationMs: 0,
    moved: [],
  }
}

function stale(what: string): never {
  throw new AppError('stale', `${what} Nothing ran. Ask for the run again.`)
}
