import type { AgentMode } from '@shared/domain/agent'
import type { Decision } from '@shared/domain/approval'
import { AppError } from '@shared/errors'
import type { RequestRow } from '../../db/request-rows'
import { getSession, updateSession } from '../../db/session-rows'
import { askAgain, dropStale, rebuild } from './decide'
import type { SessionDeps } from '../deps'
import { emitSession } from '../history/detail'
import { decidedBy, verdictOn } from './rule-verdict'

/** What concerns the requests of all chats, or how those of one are decided. */
export interface Waiting {
  /** Rules or modes changed: what waits is held against them again. Returns how many were decided so. */
  settleByRules(mayAllow: boolean): Promise<number>
  /** Refuses everything that waits, in every chat. */
  denyAll(note: string): Promise<number>
  /** How requests of the chat are decided; null: as its agent says. What waits is never allowed by it. */
  setMode(sessionId: string, mode: AgentMode | null): Promise<void>
  /** Ends what runs and starts no more steps, in every chat; a person lets each go on. */
  pauseAll(): Promise<number>
}

interface Chats {
  deps: SessionDeps
  holding<T>(sessionId: string, work: () => Promise<T>): Promise<T>
  goOn(sessionId: string): void
  /** The chat of a person that a request belongs to. */
  chatOf(requestId: string): string
  decide(decision: Decision): Promise<RequestRow>
  pauseAll(): Promise<number>
}

export function createWaiting(chats: Chats): Waiting {
  return {
    settleByRules: (mayAllow) => settleByRules(chats, mayAllow),
    denyAll: (note) => denyAll(chats, note),
    async setMode(sessionId, mode) {
      await chats.holding(sessionId, async () => setMode(chats.deps, sessionId, mode))
      await settleByRules(chats, false)
    },
    pauseAll: chats.pauseAll,
  }
}

/**
 * Holds what waits against the rules of now: what one allows goes on as `superseded`, what one denies ends. A change of
 * mode never allows what waits already (`approvals.md` 10). Chats of another program are left to it.
 */
async function settleByRules(chats: Chats, mayAllow: boolean): Promise<number> {
  let settled = 0
  for (const { id } of chats.deps.broker.pending()) {
    const chat = chats.chatOf(id)
    try {
      const isDone = await chats.holding(chat, () => settleOne(chats.deps, id, mayAllow))
      if (!isDone) continue
      settled += 1
      chats.goOn(chat)
      emitSession(chats.deps, chat)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'busy') throw error
    }
  }
  if (settled > 0) chats.deps.emit({ t: 'sessions.changed' })
  return settled
}

async function settleOne(deps: SessionDeps, requestId: string, mayAllow: boolean): Promise<boolean> {
  const row = deps.broker.get(requestId)
  const session = row && getSession(deps.db.sql, row.sessionId)
  if (row?.status !== 'pending' || !session) return false
  const outcome = verdictOn(deps, session, row).outcome
  if (outcome === 'ask' || (outcome === 'allow' && !mayAllow)) return false
  return outcome === 'deny' ? settle(deps, requestId) : allowAsItIs(deps, row)
}

/** Looked at again on disk first, as for a person's answer. */
async function allowAsItIs(deps: SessionDeps, row: RequestRow): Promise<boolean> {
  const again = await rebuild(deps, row)
  const current = deps.broker.get(row.id)
  if (current?.status !== 'pending') return false
  if (!again.ok) {
    dropStale(deps, current, again.error)
    return true
  }
  if (again.request.planHash !== current.planHash) {
    askAgain(deps, current, again)
    return false
  }
  return settle(deps, row.id)
}

function settle(deps: SessionDeps, requestId: string): boolean {
  const isDone = deps.db.durable(() => {
    const row = deps.broker.get(requestId)
    const session = row && getSession(deps.db.sql, row.sessionId)
    if (row?.status !== 'pending' || !session) return false
    const verdict = verdictOn(deps, session, row)
    const decided = decidedBy(verdict)
    if (!decided) return false
    if (verdict.rule) deps.rules.used(verdict.rule)
    deps.broker.byRule(row, decided)
    return true
  })
  const row = deps.broker.get(requestId)
  if (isDone && row) deps.emit({ t: 'approvals.changed', sessionId: row.sessionId })
  return isDone
}

/** One after the other, so that each chat goes on as after a denial of its own. */
async function denyAll(chats: Chats, note: string): Promise<number> {
  let denied = 0
  for (const { id: requestId, revision, planHash } of chats.deps.broker.pending()) {
    try {
      const decision = { requestId, revision, planHash, choice: 'deny' as const, note, acknowledged: [] }
      await chats.holding(chats.chatOf(requestId), () => chats.decide(decision))
      denied += 1
    } catch (error) {
      const isGone = error instanceof AppError && ['already_decided', 'stale', 'busy'].includes(error.code)
      if (!isGone) throw error
    }
  }
  return denied
}

function setMode(deps: SessionDeps, sessionId: string, mode: AgentMode | null): void {
  const session = getSession(deps.db.sql, sessionId)
  if (!session) throw new AppError('not_found', 'This chat does not exist any more.')
  deps.db.durable(() => {
    updateSession(deps.db.sql, sessionId, { mode })
    deps.audit.append({
      actor: 'person',
      action: 'mode.changed',
      sessionId,
      target: session.title,
      data: { before: session.mode ?? null, after: mode },
    })
  })
  emitSession(deps, sessionId)
}
