import { z } from 'zod'
import type { RunStatus } from '@shared/domain/approval'
import type { CallState, Envelope } from '@shared/domain/session'
import { containRelative } from '@shared/paths'
import { getCall, updateCall, type CallRow } from '../../db/call-rows'
import type { RequestRow } from '../../db/request-rows'
import type { RunOutcome } from '../../runs/service'
import type { RunTicket } from '../../runs/types'
import type { SessionDeps } from '../deps'
import { failed, succeeded, type ToolErrorCode } from '../envelope'
import { QUITTING } from '../quitting'
import { openRequest, prepareRun } from '../run-request'
import { readSkillCommand, type SkillCommand } from '../styles/skill-command'
import { activeSkill, noActiveSkill } from './active'
import { defineTool, type ToolContext, type ToolOutcome } from './tool'

const Input = z.object({
  path: z.string().min(1).max(4096).describe('The script, relative to the skill: "scripts/x.py".'),
  skill: z.string().max(200).optional().describe('An active skill; left out: the one loaded last.'),
  args: z.array(z.string()).max(10_000).default([]).describe('Arguments, one by one; there is no shell.'),
  env: z.record(z.string(), z.string()).default({}).describe('Extra environment variables.'),
  workdir: z
    .string()
    .max(4096)
    .optional()
    .describe('Folder inside the project, relative to it. Left out: the project.'),
  stdin: z.string().max(64_000).optional().describe('Text given on standard input. Left out: closed.'),
  interactive: z.boolean().default(false).describe('The person may answer prompts of the script.'),
  timeout_ms: z.number().int().min(100).max(3_600_000).optional(),
})
export type RunScriptInput = z.output<typeof Input>

/** The input of a call that asks to run a script: that of the tool, or a command that means the same. */
export const RunScriptInput = z.preprocess((input) => scriptOf(input) ?? input, Input)

function scriptOf(input: unknown): SkillCommand | null {
  const command = input !== null && typeof input === 'object' && 'command' in input ? input.command : null
  return typeof command === 'string' ? readSkillCommand(command) : null
}

/** Asks first, always: the request is a row, and this tool is called again when it was decided. */
export const runScriptTool = defineTool(
  {
    name: 'skills_run_script',
    description:
      "Runs a script of an active skill in a sandbox, in the person's project folder. A person reviews it first; their answer may take a while.",
    input: Input,
  },
  runScript,
)

async function runScript(context: ToolContext, input: RunScriptInput): Promise<ToolOutcome> {
  const { deps, call } = context
  const request = call.requestId === null ? null : deps.broker.get(call.requestId)
  if (request?.status === 'pending') return { kind: 'waiting' }
  if (request?.status === 'denied') return denied(request)
  if (request?.usedAt) return unsaved(context)
  if (request?.status === 'approved') return execute(context, request, containRelative(input.path))
  const skill = activeSkill(context.session, input.skill)
  if (!skill) return noActiveSkill(context.session, input.skill)
  openRequest(context, await prepareRun(context, input))
  return { kind: 'waiting' }
}

/** What the agent is told of a denial, the person's note included. */
export function denied(request: RequestRow): { kind: 'result'; state: CallState; envelope: Envelope } {
  const note = request.note ? ` They wrote: ${request.note}` : ''
  const error = `The person refused this run.${note} Do not ask for the same again; go on without it or ask them.`
  const said = request.note ? { note: request.note } : undefined
  return { kind: 'result', state: 'denied', envelope: failed('denied', error, said) }
}

/** The run was started but its result is not on record, as after a full disk: it is never run again. */
async function unsaved({ deps, call }: ToolContext): Promise<ToolOutcome> {
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
  return failed('interrupted', INTERRUPTED, partialOf(deps, call))
}

function partialOf(deps: SessionDeps, { runId, input }: CallRow): Record<string, unknown> | undefined {
  if (runId === null) return undefined
  return { path: input['path'], exit_code: null, ...deps.runs.printed(runId), run_id: runId }
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

async function execute(
  { deps, call, signal }: ToolContext,
  request: RequestRow,
  path: string,
): Promise<ToolOutcome> {
  const ticket: RunTicket = {
    requestId: request.id,
    plan: request.plan,
    planHash: request.planHash,
    sessionId: request.sessionId,
    callId: call.id,
    claim: (runId) => claim(deps, request, runId),
  }
  try {
    return { kind: 'result', ...resultOf(path, await deps.runs.execute(ticket, signal)) }
  } catch (error) {
    const isSpent = deps.broker.get(request.id)?.usedAt !== null
    // The app quits before the run began: the call stays open, and the next start asks again.
    if (signal.reason === QUITTING && !isSpent) return { kind: 'waiting' }
    throw error
  }
}

/** A script that ran to its end is a success whatever its exit code (`runtime.md` 3). */
function resultOf(path: string, outcome: RunOutcome): { envelope: Envelope; state: CallState } {
  const { run, stdout, stderr, truncated, durationMs } = outcome
  const output = {
    path,
    exit_code: run.exitCode,
    stdout,
    stderr,
    run_id: run.id,
    duration_ms: durationMs,
    truncated,
  }
  const ended = ENDS[run.status]
  if (!ended) return { envelope: succeeded(output), state: 'done' }
  return { envelope: failed(ended.code, ended.text, output), state: ended.state }
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
