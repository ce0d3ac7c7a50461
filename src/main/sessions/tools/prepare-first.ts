import { runPlanOf, type RunPlan } from '@shared/domain/approval'
import { toWire } from '@shared/errors'
import { getCall, updateCall, type CallRow } from '../../db/call-rows'
import type { RequestRow } from '../../db/request-rows'
import { cutText } from '../../lib/well-formed'
import { failed } from '../turn/envelope'
import { QUITTING } from '../turn/quitting'
import { ticketFor } from './execute-run'
import type { ToolContext, ToolOutcome } from './tool'

/** How a preparation went: the call asks for its script now, for this reason; or it ends with the turn. */
type Prepared = { kind: 'ask'; context: ToolContext; why: string } | { kind: 'end'; outcome: ToolOutcome }

const MOST_SAID = 600

export function isPreparation(request: RequestRow | null): request is RequestRow & { plan: RunPlan } {
  return request?.plan.kind === 'prepare'
}

/** Carries out an allowed preparation. However it goes, the script is asked for afterwards, and never run by it. */
export async function prepareFirst(context: ToolContext, request: RequestRow): Promise<Prepared> {
  const { deps, signal } = context
  const plan = runPlanOf(request.plan)
  if (!plan) return { kind: 'ask', context: scriptAgain(context), why: '' }
  const { environments } = deps
  let isKept = false
  let why: string
  try {
    await environments.begin(plan.workspace)
    const { run, stdout, stderr, statusText } = await deps.runs.execute(
      ticketFor(context, request, plan),
      signal,
    )
    isKept = run.status === 'succeeded' && run.exitCode === 0
    if (isKept) await environments.keep(plan, request.sessionId)
    why = isKept
      ? 'The packages are prepared.'
      : `The packages could not be prepared: ${statusText} ${lastWords(stderr || stdout)}`
  } catch (error) {
    isKept = false
    why = `The packages could not be prepared: ${toWire(error).message}`
  } finally {
    if (!isKept) await environments.discard(plan.workspace)
  }
  if (!signal.aborted) return { kind: 'ask', context: scriptAgain(context), why: why.trim() }
  const isSpent = deps.broker.get(request.id)?.usedAt !== null
  return { kind: 'end', outcome: stopped(signal.reason === QUITTING, isSpent) }
}

/** The call as it was before its preparation was asked for. */
export function scriptAgain(context: ToolContext): ToolContext {
  const { deps } = context
  const { edited, ...call } = getCall(deps.db.sql, context.call.id) ?? context.call
  const { prepare: _done, ...others } = edited ?? {}
  const again: CallRow = {
    ...call,
    state: 'ready',
    requestId: null,
    runId: null,
    ...(Object.keys(others).length > 0 ? { edited: others } : {}),
  }
  deps.db.durable(() => updateCall(deps.db.sql, again))
  return { ...context, call: again }
}

function stopped(isQuitting: boolean, isSpent: boolean): ToolOutcome {
  if (isQuitting && !isSpent) return { kind: 'waiting' }
  const error = 'The turn was stopped while packages were prepared. The script was not run.'
  return {
    kind: 'result',
    state: isQuitting ? 'interrupted' : 'cancelled',
    envelope: failed(isQuitting ? 'interrupted' : 'cancelled', error),
  }
}

function lastWords(text: string): string {
  const lines = text.trim().split('\n').slice(-4).join(' ')
  return lines.length > MOST_SAID ? cutText(lines.slice(-MOST_SAID), MOST_SAID) : lines
}
