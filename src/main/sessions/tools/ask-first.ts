import type { CallState, Envelope } from '@shared/domain/session'
import type { NewRequest } from '../../approvals/broker'
import type { RequestRow } from '../../db/request-rows'
import { failed } from '../turn/envelope'
import { openRequest, type Asked } from '../requests/new-request'
import type { ToolContext, ToolOutcome } from './tool'

/** What a tool does that a person must allow first. */
export interface AskingSteps<I> {
  /**
   * The request for this input as things are now. Nothing is done yet; as long as nothing that it names changes, the
   * plan is the same. Throws an AppError whose sentence is for the model and the person.
   */
  prepare(asked: Asked, input: I): Promise<NewRequest>
  /** Does what was allowed. `broker.claim` spends the approval, in a durable transaction before the first effect. */
  carryOut(context: ToolContext, request: RequestRow, input: I): Promise<ToolOutcome>
  /** The approval was spent but no result is on record: it is never done again. */
  afterLoss(context: ToolContext): Promise<ToolOutcome>
}

/** Goes as far as the person's answer, or a rule of theirs, allows. */
export async function askFirst<I>(
  steps: AskingSteps<I>,
  context: ToolContext,
  input: I,
): Promise<ToolOutcome> {
  const { deps, call } = context
  const known = call.requestId === null ? null : deps.broker.get(call.requestId)
  if (known && isAnswer(known)) return goOn(steps, context, known, input)
  const asked = openRequest(context, await steps.prepare(context, input))
  return goOn(steps, { ...context, call: { ...call, requestId: asked.id } }, asked, input)
}

/** One that ended without an answer is asked anew. */
function isAnswer({ status }: RequestRow): boolean {
  return status !== 'stale' && status !== 'cancelled' && status !== 'edited'
}

async function goOn<I>(
  steps: AskingSteps<I>,
  context: ToolContext,
  request: RequestRow,
  input: I,
): Promise<ToolOutcome> {
  if (request.status === 'pending') return { kind: 'waiting' }
  if (request.status === 'denied' || request.status === 'auto_denied') return denied(request)
  if (request.status === 'expired') return expired()
  return request.usedAt ? steps.afterLoss(context) : steps.carryOut(context, request, input)
}

/** What the agent is told of a denial, the person's note included. */
export function denied(request: RequestRow): { kind: 'result'; state: CallState; envelope: Envelope } {
  const note = request.note ? ` They wrote: ${request.note}` : ''
  const error = `${refusal(request)}${note} Do not ask for the same again; go on without it or ask them.`
  const said = request.note ? { note: request.note } : undefined
  return { kind: 'result', state: 'denied', envelope: failed('denied', error, said) }
}

function refusal(request: RequestRow): string {
  const noun = nounOf(request)
  if (request.decidedBy === 'rule') return `A rule denies this ${noun}: ${request.ruleText ?? ''}`
  if (request.decidedBy === 'mode') return 'This chat is set to run no scripts.'
  return `The person refused this ${noun}.`
}

/** What the agent is told where nobody could be asked: not a word about what a person wants. */
export const EXPIRED =
  'Nobody was there to be asked, so this was not done. It is not a refusal: go on without it, or say what has to be allowed.'

function expired(): ToolOutcome {
  return { kind: 'result', envelope: failed('expired', EXPIRED) }
}

function nounOf({ plan }: RequestRow): string {
  if (plan.kind === 'file_edit') return 'change'
  return plan.kind === 'mcp' ? 'call' : 'run'
}
