import type { NewRequest, ByRule } from '../../approvals/broker'
import {
  decideByRules,
  factsOf as requestFacts,
  type Facts,
  type Grounds,
  type Judged,
  type Verdict,
} from '../../approvals/rules/decide'
import { whyAskedByPolicy } from '../../approvals/rules/remember'
import { sentenceOf } from '../../approvals/rules/rules'
import { getSession, type SessionRow } from '../../db/session-rows'
import { agentOf, type Agent } from '../agent/agent'
import type { SessionDeps } from '../deps'

/** How rules name an agent: one of a project is another than the person's of the same name. */
export function agentKeyOf({ scope, name }: Pick<Agent, 'scope' | 'name'>): string {
  return `${scope}:${name}`
}

/** What a request of this chat is to the rules. */
export function factsOf({ db }: Pick<SessionDeps, 'db'>, session: SessionRow, request: Judged): Facts {
  return requestFacts(request, { chatId: session.id, outerChats: outerChats(db, session) })
}

/** All that it is decided on. Where rules may not be used, every request is asked for. */
export function groundsOf(deps: SessionDeps, session: SessionRow): Grounds {
  const { mode } = agentOf(deps, session)
  const asks = mode === 'ask' && deps.ignoresRules === true
  return { ...deps.rules.grounds(session.projectDir), mode: asks ? 'every-time' : mode }
}

export function verdictOn(deps: SessionDeps, session: SessionRow, request: Judged): Verdict {
  return decideByRules(factsOf(deps, session, request), groundsOf(deps, session))
}

/** A rule or the organisation denies this or wants it to be asked for, whatever the agent's file says. */
export function isRuled(deps: SessionDeps, session: SessionRow, request: NewRequest): boolean {
  const grounds = groundsOf(deps, session)
  if (whyAskedByPolicy(request.plan, request.tool, grounds.policy ?? null) !== null) return true
  const verdict = decideByRules(factsOf(deps, session, request), grounds)
  return verdict.outcome === 'deny' || (verdict.outcome === 'ask' && verdict.rule !== null)
}

/** What a verdict says without a person; null: one is asked. */
export function decidedBy(verdict: Verdict): ByRule | null {
  if (verdict.outcome === 'ask') return null
  return { outcome: verdict.outcome, rule: named(verdict.rule) }
}

/** A rule by its id, and what it says now. */
export function named(rule: Verdict['rule']): ByRule['rule'] {
  return rule && { id: rule.id, text: sentenceOf(rule) }
}

function outerChats(db: Pick<SessionDeps['db'], 'sql'>, { fork }: SessionRow): string[] {
  const parent = fork ? getSession(db.sql, fork.parentId) : null
  return parent ? [parent.id, ...outerChats(db, parent)] : []
}
