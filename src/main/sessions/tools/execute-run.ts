import { runPlanOf, type RunPlan } from '@shared/domain/approval'
import type { RunStatus } from '@shared/domain/run'
import type { CallState, Envelope } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import { getCall, updateCall, type CallRow } from '../../db/call-rows'
import type { RequestRow } from '../../db/request-rows'
import type { RunOutcome } from '../../runs/service'
import type { RunTicket } from '../../runs/types'
import type { ChangedPaths } from '../../undo/record'
import type { SessionDeps } from '../deps'
import { failed, succeeded, type ToolErrorCode } from '../turn/envelope'
import { QUITTING } from '../turn/quitting'
import type { ToolContext, ToolOutcome } from './tool'

/** A run's end with the files that changed while it ran; null: that is not known. */
export type RunReport = RunOutcome & { changed: ChangedPaths | null }

/** What a tool says of a run that it asked for. */
export type RunShape = (report: RunReport) => Record<string, unknown>

/** As many as a model has use for; the person sees all in the step. */
const FILES_TOLD = 200

/** `files_changed` of a result (R7); left out where it is not known. */
export function filesChanged(changed: ChangedPaths | null): Record<string, unknown> {
  if (!changed) return {}
  const files = changed.files.slice(0, FILES_TOLD)
  return {
    files_changed: files,
    ...(changed.total > files.length ? { files_changed_total: changed.total } : {}),
  }
}

/** The run was started but its result is not on record, as after a full disk: it is never run again. */
export async function afterLostRun({ deps, call }: ToolContext): Promise<ToolOutcome> {
  await deps.runs.recover()
  const error =
    'The script was started, but its result could not be saved. It is not run again by itself. Look at what it did before you ask for another run.'
  return {
    kind: 'result',
    state: 'interrupted',
    envelope: failed('interrupted', error, partialOf(deps, getCall(deps.db.sql, call.id) ?? call)),
  }
}

/** The result of a call whose run ended with the app: what it printed until then stays with it (`runtime.md` 3). */
export function interruptedRun(deps: SessionDeps, call: CallRow): Envelope {
  return failed('interrupted', interruptedWords(deps, call), partialOf(deps, call))
}

function interruptedWords({ broker }: SessionDeps, { requestId }: CallRow): string {
  const request = requestId === null ? null : broker.get(requestId)
  const phase = request && runPlanOf(request.plan)?.env.find(({ name }) => name === 'SKILL_HOOK')?.value
  if (!phase) return INTERRUPTED
  const words = INTERRUPTED.replace('the script ran', 'its hook ran')
  return phase === 'pre' ? `Nothing was loaded. ${words}` : words
}

function partialOf(deps: SessionDeps, { runId, input }: CallRow): Record<string, unknown> | undefined {
  if (runId === null) return undefined
  const { path } = input
  const asked = path === undefined ? { return_code: null } : { path, exit_code: null }
  return { ...asked, ...deps.runs.printed(runId), run_id: runId }
}

/** Spends the approval and marks the call running, inside the transaction that inserts the run. */
function claim(deps: SessionDeps, request: RequestRow, runId: string): void {
  deps.broker.claim(request.id, request.planHash)
  const call = getCall(deps.db.sql, request.callId)
  if (!call) return
  const running: CallRow = { ...call, state: 'running', runId, startedAt: deps.now() }
  updateCall(deps.db.sql, running)
  // After the commit: what is told must be what is saved.
  queueMicrotask(() => deps.live.emit(request.sessionId, { t: 'call', call: running }))
}

/** The right to run the plan of an approved request once. */
export function ticketFor(
  { deps, call }: Pick<ToolContext, 'deps' | 'call'>,
  request: RequestRow,
  plan: RunPlan,
): RunTicket {
  return {
    requestId: request.id,
    plan,
    planHash: request.planHash,
    sessionId: request.sessionId,
    callId: call.id,
    claim: (runId) => claim(deps, request, runId),
  }
}

/** Runs the plan of an approved request and waits for its end. */
export async function executeRun(
  { deps, call, signal }: ToolContext,
  request: RequestRow,
  shape: RunShape,
): Promise<ToolOutcome> {
  const plan = runPlanOf(request.plan)
  if (!plan) throw new AppError('stale', 'What was allowed is no run. Nothing was run. Ask again.')
  const ticket = ticketFor({ deps, call }, request, plan)
  try {
    await deps.undo.before(request.id, plan, signal)
    const outcome = await deps.runs.execute(ticket, signal)
    if (plan.environment) deps.environments.used(plan.environment)
    const changed = await deps.undo.after(request.id, outcome.run.id)
    return { kind: 'result', ...resultOf({ ...outcome, changed }, shape, plan) }
  } catch (error) {
    deps.undo.forget(request.id)
    const isSpent = deps.broker.get(request.id)?.usedAt !== null
    // The app quits before the run began: the call stays open, and the next start asks again.
    if (signal.reason === QUITTING && !isSpent) return { kind: 'waiting' }
    throw error
  }
}

/** What ran to its end is a success whatever its exit code (`runtime.md` 3). */
function resultOf(
  outcome: RunReport,
  shape: RunShape,
  { kind }: RunPlan,
): { envelope: Envelope; state: CallState } {
  const printed = outcome.printedSecrets
  const output = { ...shape(outcome), ...(printed.length > 0 ? { printed_secrets: printed } : {}) }
  const ended = ENDS[outcome.run.status]
  if (!ended) return { envelope: succeeded(output), state: 'done' }
  const words = (ended.state === 'failed' && outcome.refused) || ended.text
  const text = kind === 'shell' ? words.replaceAll('script', 'command') : words
  return { envelope: failed(ended.code, text, output), state: ended.state }
}

const INTERRUPTED =
  'Satchel ended while the script ran. It is not run again by itself. What it printed until then is kept; ask for it again if it is still needed.'

const ENDS: Partial<Record<RunStatus, { code: ToolErrorCode; text: string; state: CallState }>> = {
  timed_out: {
    code: 'timed_out',
    text: 'The script was stopped at its time limit. What it printed until then is kept.',
    state: 'failed',
  },
  killed: {
    code: 'killed',
    text: 'The script was stopped by the person. What it printed until then is kept.',
    state: 'cancelled',
  },
  interrupted: {
    code: 'interrupted',
    text: INTERRUPTED,
    state: 'interrupted',
  },
  sandbox_failed: {
    code: 'sandbox_failed',
    text: 'The sandbox could not be started, so the script was not run. Settings says why, under “Sandbox and runs”. Tell the person.',
    state: 'failed',
  },
}
