import { runPlanOf } from '@shared/domain/approval'
import type { ActiveSkill, Envelope } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import type { NewRequest } from '../../approvals/broker'
import { getCall } from '../../db/call-rows'
import { requestsOfCall, type RequestRow } from '../../db/request-rows'
import { cutText } from '../../lib/well-formed'
import { openRequest, type Asked } from '../requests/new-request'
import { prepareHook, type Hook } from '../requests/run-request'
import { executeRun, type RunShape } from './execute-run'
import type { ToolContext } from './tool'

/** A hook that did not end well, in a sentence; null: all did. */
export type HooksOutcome = { kind: 'waiting' } | { kind: 'ended'; failure: string | null }

/** More would only tire the person who is asked for each. */
const MAX_HOOKS = 3
const MAX_OUTPUT = 2000

/**
 * Runs the hooks of a call one after the other, each as an ordinary request (R13): nothing is held while a person
 * decides, and the rows tell how far it came. The first that is refused or fails ends it.
 */
export async function runHooks(context: ToolContext, hooks: readonly Hook[]): Promise<HooksOutcome> {
  if (hooks.length > MAX_HOOKS) return ended(`It has ${hooks.length} hooks; at most ${MAX_HOOKS} are run.`)
  for (const hook of hooks) {
    const went = await runHook(context, hook)
    if (went === 'waiting') return { kind: 'waiting' }
    if (went !== 'well') return ended(went)
  }
  return ended(null)
}

/** The hook that this call is asked about, as it would be asked about now. */
export async function prepareHookAgain(asked: Asked): Promise<NewRequest> {
  const { deps, call } = asked
  const request = call.requestId === null ? null : deps.broker.get(call.requestId)
  const plan = request && runPlanOf(request.plan)
  const record = plan?.skill && deps.registry.get(asked.session.projectDir, plan.skill.key)?.record
  if (!plan?.skill || !plan.script || !record) {
    throw new AppError('not_found', 'The skill of this hook is gone. Nothing was run.')
  }
  const phase = plan.env.some(({ name, value }) => name === 'SKILL_HOOK' && value === 'post') ? 'post' : 'pre'
  return prepareHook(asked, { skill: record, path: plan.script.path, phase })
}

/** Those of a skill that was loaded and has not had them yet. */
export function postHooks(active: ActiveSkill): Hook[] {
  return (active.postHooks ?? []).map((path) => ({ skill: active, path, phase: 'post' }))
}

/** `well`, `waiting`, or what went wrong. */
async function runHook(context: ToolContext, hook: Hook): Promise<string> {
  const { deps, call } = context
  const asked = requestsOfCall(deps.db.sql, call.id)
  let wanted: NewRequest
  try {
    wanted = await prepareHook(context, hook)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `The hook ${hook.path} of "${hook.skill.name}" can't run: ${error.message}`
  }
  const request = asked.findLast((row) => row.planHash === wanted.planHash && isMeant(row))
  if (!request) {
    // A person's step is in the ledger only once it has to wait, and is then carried out again.
    const known = getCall(deps.db.sql, call.id)
    if (!known) return 'waiting'
    const opened = openRequest({ ...context, call: known }, wanted)
    return goOn({ ...context, call: { ...known, requestId: opened.id } }, hook, opened, true)
  }
  return goOn(context, hook, request, asked.at(-1)?.id === request.id)
}

async function goOn(context: ToolContext, hook: Hook, request: RequestRow, isLast: boolean): Promise<string> {
  const name = `The hook ${hook.path} of "${hook.skill.name}"`
  if (request.status === 'pending') return 'waiting'
  if (request.status === 'denied' || request.status === 'auto_denied') {
    const by = request.decidedBy === 'person' ? '' : ` by ${request.ruleText ?? 'the mode of this chat'}`
    return `${name} was denied${by}.${request.note ? ` Written with it: ${request.note}` : ''}`
  }
  if (request.status === 'expired') return `${name} was not run: nobody was there to be asked.`
  // The next one is only asked for after this one ended well.
  if (request.usedAt !== null && !isLast) return 'well'
  if (request.usedAt !== null) return `${name} was started, but its result could not be saved.`
  const outcome = await executeRun(context, request, hookShape)
  if (outcome.kind === 'waiting') return 'waiting'
  return wordsOf(name, outcome.envelope)
}

function wordsOf(name: string, { success, result, error, partial }: Envelope): string {
  const { exit_code: code, output } = (result ?? partial ?? {}) as ReturnType<typeof hookShape>
  if (success && code === 0) return 'well'
  const lines = output === '' || output === undefined ? '' : ` Its last lines: ${output}`
  return success ? `${name} ended with exit code ${String(code)}.${lines}` : `${name}: ${error ?? ''}${lines}`
}

const hookShape = ({ run, stdout, stderr }: Parameters<RunShape>[0]) => ({
  exit_code: run.exitCode,
  output: lastLines(`${stdout.trimEnd()}\n${stderr.trimEnd()}`.trim()),
})

function lastLines(text: string): string {
  const lines = text.split('\n').slice(-20).join('\n')
  return lines.length > MAX_OUTPUT ? cutText(lines.slice(-MAX_OUTPUT), MAX_OUTPUT) : lines
}

/** A request that ended without an answer is asked anew. */
function isMeant({ status }: RequestRow): boolean {
  return status !== 'stale' && status !== 'cancelled'
}

function ended(failure: string | null): HooksOutcome {
  return { kind: 'ended', failure }
}
