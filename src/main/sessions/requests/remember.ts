import type { Decision } from '@shared/domain/approval'
import { AppError } from '@shared/errors'
import { allowingRule, denyingRule, offersFor } from '../../approvals/rules/offers'
import { expiryOf } from '../../approvals/rules/rules'
import type { RequestRow } from '../../db/request-rows'
import { getSession, rootIdOf, type SessionRow } from '../../db/session-rows'
import type { SessionDeps } from '../deps'
import { factsOf, groundsOf } from './rule-verdict'

/** Throws `bad_input` when what should be remembered was not offered. */
export function refuseNotOffered(deps: SessionDeps, row: RequestRow, decision: Decision): void {
  if (decision.choice === 'once') return
  const session = chatOf(deps, row)
  if (decision.choice === 'always' && isTrial(deps, session)) throw unsavedBytes()
  const { args, why } = offersFor(factsOf(deps, session, row), groundsOf(deps, session))
  if (decision.remember && args.includes(decision.remember.args)) return
  const reason = why ?? 'That was not offered.'
  throw new AppError('bad_input', `This can’t be remembered. ${reason} Allow it once, or deny it.`)
}

/** Saves the rule that the person chose, inside the transaction of their answer. */
export function remember(deps: SessionDeps, row: RequestRow, { choice, remember: chosen }: Decision): void {
  if (!chosen || (choice !== 'chat' && choice !== 'always')) return
  const expiresAt = choice === 'chat' ? null : expiryOf(chosen.days, deps.now())
  const facts = factsOf(deps, chatOf(deps, row), row)
  deps.rules.add(allowingRule(facts, chosen.args, { lifetime: choice, expiresAt }), row.id)
}

/** "Always deny this script", inside the transaction of the answer. Throws `bad_input` where it has no name. */
export function denyAlways(deps: SessionDeps, row: RequestRow): void {
  const session = chatOf(deps, row)
  if (isTrial(deps, session)) throw unsavedBytes()
  const rule = denyingRule(factsOf(deps, session, row))
  if (!rule) {
    throw new AppError('bad_input', 'A command has no name to deny always. Make a rule in Approvals, Rules.')
  }
  deps.rules.add(rule, row.id)
}

/** It tries the unsaved text of a skill, or was begun by a chat that does: nothing is remembered beyond it (ADR 0040). */
export function isTrial({ db }: Pick<SessionDeps, 'db'>, session: SessionRow): boolean {
  return getSession(db.sql, rootIdOf(session))?.trial !== undefined
}

function unsavedBytes(): AppError {
  return new AppError(
    'bad_input',
    'These bytes are not saved, so nothing about them is remembered for other chats. Save the skill first.',
  )
}

function chatOf({ db }: SessionDeps, row: RequestRow): SessionRow {
  const session = getSession(db.sql, row.sessionId)
  if (!session) throw new AppError('not_found', 'The chat of this request is gone.')
  return session
}
