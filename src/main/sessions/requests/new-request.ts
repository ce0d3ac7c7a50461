import { ASKED_BY_PERSON, runPlanOf, type RequestPlan } from '@shared/domain/approval'
import type { CallState } from '@shared/domain/session'
import type { NewRequest } from '../../approvals/broker'
import { updateCall, type CallRow } from '../../db/call-rows'
import { listMessages } from '../../db/message-rows'
import type { RequestRow } from '../../db/request-rows'
import { getSession, rootIdOf, updateSession, type SessionRow } from '../../db/session-rows'
import { faultPoint } from '../../lib/fault-point'
import { planHash } from '../../lib/plan-hash'
import type { Verdict } from '../../approvals/rules/decide'
import { agentLabel, agentOf } from '../agent/agent'
import type { SessionDeps } from '../deps'
import { textOf } from '../history/history'
import { agentKeyOf, decidedBy, named, verdictOn } from './rule-verdict'

/** A call that asks a person. */
export interface Asked {
  deps: SessionDeps
  session: SessionRow
  call: CallRow
}

/** What a tool decides about its request; who asks, and after which words, is the same for all. */
export interface AskedFor {
  plan: RequestPlan
  findings: NewRequest['findings']
  /** One sentence: why the person is asked. */
  askReason: string
  reviewRequired: boolean
  changed?: NewRequest['changed']
}

/** The request of a call. Nothing is written yet, so it can be built again at the click and compared. */
export function newRequest({ deps, session, call }: Asked, asked: AskedFor): NewRequest {
  return {
    changed: null,
    ...asked,
    sessionId: session.id,
    callId: call.id,
    planHash: planHash(asked.plan),
    tool: call.name,
    agentKey: agentKeyOf(agentOf(deps, session)),
    projectDir: session.projectDir,
    agentName: isTyped(call, asked.plan) ? ASKED_BY_PERSON : askerOf(deps, session),
    lastUserMessage: lastUserText(deps, rootIdOf(session)),
  }
}

/**
 * Writes the request, what rules say of it, the call and the chat's state in one durable transaction, then tells the
 * page. Where no rule and no mode decides, it waits for a person.
 */
export function openRequest(asked: Asked, wanted: NewRequest): RequestRow {
  const { deps, session } = asked
  const row = deps.db.durable(() => {
    faultPoint('request.before-open')
    return openIn(asked, wanted)
  })
  faultPoint('request.after-open')
  deps.emit({ t: 'approvals.changed', sessionId: session.id })
  prepareUndo(deps, row)
  return row
}

/** The rows of a request, inside a durable transaction of the caller. */
export function openIn({ deps, session, call }: Asked, wanted: NewRequest): RequestRow {
  const verdict = verdictOn(deps, session, wanted)
  const opened = deps.broker.open(withReason(wanted, verdict), decidedBy(verdict), named(verdict.rule))
  if (verdict.rule && verdict.outcome !== 'ask') deps.rules.used(verdict.rule)
  const isWaiting = opened.status === 'pending'
  const state: CallState = isWaiting ? 'awaiting_approval' : call.state
  updateCall(deps.db.sql, { ...call, state, requestId: opened.id })
  if (isWaiting) updateSession(deps.db.sql, session.id, { state: 'awaiting_approval', updatedAt: deps.now() })
  return opened
}

/** After the person is told: what the run could change is looked at while they read. */
export function prepareUndo({ undo }: SessionDeps, { id, plan }: RequestRow): void {
  const run = runPlanOf(plan)
  if (run && run.kind !== 'prepare') undo.prepare({ id, plan: run })
}

/** Why the person is asked although a rule is there. */
function withReason(request: NewRequest, verdict: Verdict): NewRequest {
  if (verdict.outcome !== 'ask') return request
  const why = verdict.rule ? `A rule asks: ${named(verdict.rule)?.text ?? ''}` : verdict.why
  return why === null ? request : { ...request, askReason: why }
}

/** A person asked for exactly this script, as `satchel run` does; no agent did. */
function isTyped({ byPerson }: CallRow, { kind }: RequestPlan): boolean {
  return byPerson === true && kind === 'script'
}

/** In a fork: the skill or the agent that asks, and for whom. */
function askerOf(deps: SessionDeps, session: SessionRow): string {
  const parent = session.fork ? getSession(deps.db.sql, session.fork.parentId) : null
  if (!session.fork || !parent) return agentLabel(deps, session)
  const isNamed = session.fork.kind === 'agent' || parent.agent !== session.agent
  const asks = isNamed ? agentLabel(deps, session) : (session.fork.chain.at(-1)?.name ?? '')
  return `${asks}, for ${agentLabel(deps, parent)}`
}

function lastUserText(deps: SessionDeps, sessionId: string): string {
  const last = listMessages(deps.db.sql, sessionId).findLast(
    (message) => message.role === 'user' && message.status !== 'queued',
  )
  return last ? textOf(last).slice(0, 2000) : ''
}
