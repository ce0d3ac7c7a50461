import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '@shared/canonical-json'
import type { RunPlan } from '@shared/domain/approval'
import { AppError, isNoSpace } from '@shared/errors'
import { faultPoint } from '../lib/fault-point'
import { newId } from '../lib/ids'
import { planHash as hashOf } from '../lib/plan-hash'
import { scriptName } from './context'
import type { Context } from './context'
import { isSame } from './environments/service'
import { isProgram } from './real-program'
import { DEFAULT_LIMITS } from './limits'
import { startTimeOf } from '../lib/proc'
import type { RunnerDeps, StopCause } from './live-run'
import { settle, stoppedEarly, without, type ExecuteContext } from './run-end'
import { startRun } from './runner'
import type { RunningProcess } from './runner'
import type { SandboxBackend } from './sandbox/backend'
import { outerSettings } from './sandbox/git-named'
import { findProgram } from './sandbox/probe'
import type { RunOutcome, RunTicket } from './types'
import { resolveWorkdir, resolveWorkspace } from './workdir'

const GRACE_MS = 3000

/** One plan from its last check to its row as ended (`Runs.execute`). */
export async function execute(
  context: ExecuteContext,
  ticket: RunTicket,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const backend = await check(context, ticket)
  if (signal.aborted) throw new AppError('cancelled', 'The turn was stopped before the script started.')
  if (context.closed) throw new AppError('not_ready', 'Satchel is closing. Start it again to run scripts.')
  const runId = newId('run')
  faultPoint('run.before-row')
  insert(context, ticket, runId, backend)
  faultPoint('run.after-row')
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
  if (canonicalJson(backend.describe(plan.sandbox)) !== canonicalJson(plan.sandbox)) {
    stale('The sandbox of this computer changed since the script was allowed.')
  }
  // Throws where one is gone.
  if (plan.secrets) context.deps.secretValues?.(plan.secrets)
  const verified = await Promise.all(
    plan.mounts.map((mount) => context.deps.verifySnapshot(mount.treeDigest)),
  )
  const broken = plan.mounts.find((_, index) => verified[index] !== true)
  if (broken) stale(`Satchel's copy of "${broken.name}" was changed on disk.`)
  const { environment } = plan
  if (environment && !(await isSame(environment.folder, environment.digest))) {
    stale('The packages that were prepared for it were changed on disk.')
  }
  await checkInterpreter(context, plan)
  const workspace = resolveWorkspace(plan.workspace, context.deps.env['HOME'])
  if (workspace !== plan.workspace || resolveWorkdir(workspace, plan.cwd) !== plan.cwd) {
    stale('The folder of the run was moved since the script was allowed.')
  }
  return backend
}

/** A compiled program is a file of the skill, whose snapshot was verified. */
async function checkInterpreter({ interpreters }: Context, { interpreter }: RunPlan): Promise<void> {
  const { name, path, sha256 } = interpreter
  if (name === 'program') return
  if (!isProgram(path)) {
    throw new AppError('no_interpreter', `${name} is no longer at ${path}. Ask for the run again.`)
  }
  if (sha256 === undefined || !(await interpreters.verify(path, sha256))) {
    stale(`The program ${path} is not the one that was shown.`)
  }
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
        interpreter: {
          path: plan.interpreter.path,
          version: plan.interpreter.version,
          sha256: plan.interpreter.sha256,
        },
        sandbox: plan.sandbox.label,
        ...(plan.sandbox.hosts ? { hosts: plan.sandbox.hosts } : {}),
        mounts: plan.mounts,
        ...(plan.environment ? { environment: plan.environment.digest } : {}),
      },
    })
  })
}

async function runToEnd(
  context: ExecuteContext,
  ticket: RunTicket,
  runId: string,
  how: { backend: SandboxBackend; signal: AbortSignal },
): Promise<RunOutcome> {
  const { deps } = context
  let process: RunningProcess | StopCause
  try {
    process = await startOf(context, ticket.plan, runId, how)
  } catch (error) {
    if (error instanceof AppError) deps.log.warn('A run could not be started', { code: error.code })
    else deps.log.error('A run could not be started', error)
    return settle(context, ticket, runId, without(error, false))
  }
  if (typeof process === 'string') return settle(context, ticket, runId, stoppedEarly(process))
  const running = process
  const abort = () => running.stop('cancelled', false)
  how.signal.addEventListener('abort', abort)
  if (how.signal.aborted) abort()
  try {
    faultPoint('run.after-spawn')
    noteProcess(context, runId, running.pid)
    const end = await running.ended.catch((error: unknown) => {
      deps.log.error('The end of a run could not be read', error)
      return without(error, true)
    })
    faultPoint('run.after-exit')
    return settle(context, ticket, runId, end)
  } finally {
    how.signal.removeEventListener('abort', abort)
    context.running.delete(runId)
  }
}

/** The process, or why it was stopped while it was made ready: then nothing ran. */
async function startOf(
  context: ExecuteContext,
  plan: RunPlan,
  runId: string,
  { backend, signal }: { backend: SandboxBackend; signal: AbortSignal },
): Promise<RunningProcess | StopCause> {
  const stopped: StopCause[] = []
  const giveUp = (cause: StopCause) => void stopped.push(cause)
  const abort = () => giveUp('cancelled')
  signal.addEventListener('abort', abort)
  let isOver: () => void = () => undefined
  const over = new Promise<void>((resolve) => {
    isOver = resolve
  })
  context.starting.set(runId, { giveUp, over })
  try {
    const limited = await context.limiter.open(runId, plan.limits ?? DEFAULT_LIMITS)
    const isStopped = () => stopped.length > 0
    const git = outerSettings([process.env, (await context.deps.gitEnv?.()) ?? {}])
    const how = { backend, limited, isStopped, git }
    const started = await start(context, withSecrets(context, plan), runId, how)
    if (started === null) return stopped[0] ?? 'cancelled'
    context.running.set(runId, started)
    if (stopped[0]) started.stop(stopped[0], false)
    return started
  } finally {
    signal.removeEventListener('abort', abort)
    context.starting.delete(runId)
    isOver()
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

/** Only here, and only for this one child, are names turned into values (security.md 4.1). */
function withSecrets({ deps }: Context, plan: RunPlan): RunPlan {
  if (!plan.secrets || plan.secrets.length === 0) return plan
  const values = Object.entries(deps.secretValues?.(plan.secrets) ?? {})
  return { ...plan, env: [...plan.env, ...values.map(([name, value]) => ({ name, value }))] }
}

async function start(
  context: ExecuteContext,
  plan: RunPlan,
  runId: string,
  { backend, limited, isStopped, git }: Pick<RunnerDeps, 'backend' | 'limited' | 'isStopped' | 'git'>,
): Promise<RunningProcess | null> {
  const { deps, folder } = context
  const shell = findProgram('bash', `/bin:/usr/bin:${deps.env['PATH'] ?? ''}`)
  if (shell === null)
    throw new AppError('sandbox_failed', 'bash is not installed. Install it, then try again.')
  if (backend.id === 'none') mkdirSync(backend.home, { recursive: true, mode: 0o700 })
  return startRun(
    {
      backend,
      limited,
      isStopped,
      git,
      limits: plan.limits ?? DEFAULT_LIMITS,
      place: { runId, snapshotDir: deps.snapshotDir, dataDir: deps.dataDir },
      folder,
      quarantine: join(deps.dataDir, 'quarantine', runId),
      shell,
      graceMs: deps.graceMs ?? GRACE_MS,
      names: deps.names ?? {},
      secrets: deps.heldSecrets?.() ?? [],
      onProblem: (what, error) => deps.log.error(what, error),
      onLost: (error) => tellLost(context, plan, runId, error),
    },
    plan,
  )
}

/** At once, while the script may still print. */
function tellLost({ deps, notice }: ExecuteContext, plan: RunPlan, runId: string, error: unknown): void {
  if (isNoSpace(error)) deps.log.warn('The disk is full: the output of a run is not kept', { runId })
  else deps.log.error('The output of a run could not be kept', error)
  const why = isNoSpace(error) ? 'The disk is full' : 'The output can not be written to the disk'
  notice(`${why}: what ${scriptName(plan)} prints from here on is not kept.`)
  deps.changed(runId)
}

function stale(what: string): never {
  throw new AppError('stale', `${what} Nothing ran. Ask for the run again.`)
}
