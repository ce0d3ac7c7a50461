import type { Decision } from '@shared/domain/approval'
import type { CallEdit } from '@shared/domain/call-edit'
import { AppError, isNoSpace, toWire } from '@shared/errors'
import { getCall, updateCall, type CallRow } from '../../db/call-rows'
import type { RequestRow } from '../../db/request-rows'
import { getSession } from '../../db/session-rows'
import type { NewRequest } from '../../approvals/broker'
import { faultPoint } from '../../lib/fault-point'
import { coreTool, isOpen, settleCall } from '../turn/call-step'
import type { SessionDeps } from '../deps'
import { afterEdit } from './edited-call'
import { failedBy } from '../turn/envelope'
import { coreCallOf } from '../styles/styled-call'
import { openIn } from './new-request'
import { denyAlways, refuseNotOffered, remember } from './remember'
import { named, verdictOn } from './rule-verdict'
import { denied } from '../tools/ask-first'

/**
 * Carries out a person's answer. An approval is checked again against what is on disk now: when one byte or one
 * field differs, the request becomes stale and a new one is asked; nothing runs. Returns the request as it is then.
 * The caller lets the chat go on.
 */
export async function decide(deps: SessionDeps, decision: Decision): Promise<RequestRow> {
  const row = deps.broker.check(decision)
  if (decision.choice === 'edit') return askEdited(deps, decision)
  if (isDenial(decision)) return deny(deps, row, decision)
  refuseNotOffered(deps, row, decision)
  const again = await rebuild(deps, row)
  // Somebody may have answered while the files were read.
  const current = deps.broker.check(decision)
  if (!again.ok) return dropStale(deps, current, again.error)
  if (again.request.planHash !== current.planHash) return askAgain(deps, current, again)
  faultPoint('decision.before-approve')
  const approved = deps.db.durable(() => {
    const session = getSession(deps.db.sql, current.sessionId)
    const verdict = session && verdictOn(deps, session, current)
    // Denied meanwhile, by a rule of the organisation or by one that came by hand: a click does not beat it.
    if (verdict?.outcome === 'deny')
      return deps.broker.byRule(current, { outcome: 'deny', rule: named(verdict.rule) })
    remember(deps, current, decision)
    return deps.broker.approve(current)
  })
  deps.emit({ t: 'approvals.changed', sessionId: row.sessionId })
  faultPoint('decision.after-approve')
  return approved
}

/** Something that the request depends on was changed by the person: what would run now is asked for in its place. */
export async function renew(deps: SessionDeps, requestId: string): Promise<void> {
  const row = deps.broker.get(requestId)
  if (row?.status !== 'pending') return
  const again = await rebuild(deps, row)
  const current = deps.broker.get(requestId)
  if (current?.status !== 'pending' || !again.ok || again.request.planHash === current.planHash) return
  askAgain(deps, current, again)
}

/** Ends a request that nobody is there to answer; it is never allowed. The caller lets the chat go on. */
export function expire(deps: SessionDeps, requestId: string, why: string): RequestRow | null {
  const row = deps.broker.get(requestId)
  if (row?.status !== 'pending') return null
  const expired = deps.db.durable(() => deps.broker.expire(row, why))
  deps.emit({ t: 'approvals.changed', sessionId: row.sessionId })
  return expired
}

function isDenial({ choice }: Decision): boolean {
  return choice !== 'once' && choice !== 'chat' && choice !== 'always'
}

export type Rebuilt = { ok: true; request: NewRequest; call: CallRow } | { ok: false; error: unknown }

/**
 * The request as it would be asked now; with `edit`, as the person wants it instead. Throws only while the disk is
 * full.
 */
export async function rebuild(deps: SessionDeps, row: RequestRow, edit?: CallEdit): Promise<Rebuilt> {
  const known = getCall(deps.db.sql, row.callId)
  const call = known && edit ? afterEdit(known, row.plan, edit) : known
  const session = getSession(deps.db.sql, row.sessionId)
  if (!call || !session)
    return { ok: false, error: new AppError('not_found', 'The chat of this request is gone.') }
  if (!isOpen(call))
    return { ok: false, error: new AppError('stale', 'The step that asked for this run has ended.') }
  try {
    const asked = coreCallOf({ deps, session }, call)
    const tool = asked && coreTool(asked.tool)
    if (!tool?.prepare)
      throw new AppError('stale', 'There is no tool any more that could do this. Ask again.')
    return { ok: true, request: await tool.prepare({ deps, session, call }, asked?.input), call }
  } catch (error) {
    // Nothing changed: the request stays, and the person may answer again when there is space.
    if (isNoSpace(error)) throw error
    return { ok: false, error }
  }
}

/**
 * *Edit and run*: what the person wants instead is a request of its own, decided from nothing (`approvals.md` 4), and
 * the old one is void. Throws why it can't be asked for; the old one then still waits.
 */
async function askEdited(deps: SessionDeps, decision: Decision): Promise<RequestRow> {
  const again = await rebuild(deps, deps.broker.check(decision), decision.edited ?? {})
  const row = deps.broker.check(decision)
  if (!again.ok) throw again.error
  const { request, call } = again
  if (request.planHash === row.planHash) throw new AppError('bad_input', 'Nothing was changed.')
  const edited = deps.db.durable(() => {
    const session = getSession(deps.db.sql, row.sessionId)
    if (!session) throw new AppError('not_found', 'The chat of this request is gone.')
    const ended = deps.broker.edited(row, request)
    const isPrepared = request.plan.kind === 'prepare'
    const askReason = isPrepared ? request.askReason : `You changed what would run. ${request.askReason}`
    openIn({ deps, session, call }, { ...request, askReason })
    return ended
  })
  const asked = getCall(deps.db.sql, call.id)
  if (asked) deps.live.emit(row.sessionId, { t: 'call', call: asked })
  deps.emit({ t: 'approvals.changed', sessionId: row.sessionId })
  return edited
}

function deny(deps: SessionDeps, row: RequestRow, decision: Decision): RequestRow {
  const refused = deps.db.durable(() => {
    if (decision.choice === 'deny_always') denyAlways(deps, row)
    return deps.broker.deny(row, decision.note?.trim() || null)
  })
  const call = getCall(deps.db.sql, row.callId)
  // With the whole turn stopped nobody calls the tool again, so the call ends here.
  if (call && isOpen(call) && decision.choice === 'deny_stop') settleCall(deps, call, denied(refused))
  deps.emit({ t: 'approvals.changed', sessionId: row.sessionId })
  return refused
}

/** What was shown is not there any more, and a new question can't be asked either: the agent is told why. */
export function dropStale(deps: SessionDeps, row: RequestRow, error: unknown): RequestRow {
  const call = getCall(deps.db.sql, row.callId)
  // The request ends together with its call.
  if (call && isOpen(call)) settleCall(deps, call, { envelope: failedBy(error), state: 'stale' })
  const known = deps.broker.get(row.id) ?? row
  const ended =
    known.status === 'pending'
      ? deps.db.durable(() => deps.broker.stale(known, toWire(error).message))
      : known
  deps.emit({ t: 'approvals.changed', sessionId: row.sessionId })
  return ended
}

/** What would run changed while the request waited: it ends, and what is there now is asked for. */
export function askAgain(
  deps: SessionDeps,
  row: RequestRow,
  again: { request: NewRequest; call: CallRow },
): RequestRow {
  const { stale, call } = deps.db.durable(() => {
    const stale = deps.broker.stale(row, 'what would run changed while the request waited')
    const opened = deps.broker.open(again.request)
    const call: CallRow = { ...again.call, state: 'awaiting_approval', requestId: opened.id }
    updateCall(deps.db.sql, call)
    return { stale, call }
  })
  deps.live.emit(row.sessionId, { t: 'call', call })
  deps.emit({ t: 'approvals.changed', sessionId: row.sessionId })
  return stale
}
