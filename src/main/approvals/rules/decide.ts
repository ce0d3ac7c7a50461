import type { AgentMode } from '@shared/domain/agent'
import { runPlanOf, type Finding, type RequestPlan } from '@shared/domain/approval'
import type { Rule } from '@shared/domain/rule'
import type { RequestRow } from '../../db/request-rows'
import { matches } from './match'
import { whyNotRemembered } from './remember'

/** All that a decision looks at besides the rules. */
export interface Facts {
  plan: RequestPlan
  findings: readonly Finding[]
  /** As the tool is named: `Bash`, `Write`, `skills_run_script`, `mcp__server__tool`. */
  tool: string
  agent: { key: string; label: string }
  projectDir: string | null
  chatId: string
  /** The chats that this one works for: what they deny or ask for holds here too. */
  outerChats: readonly string[]
}

/** A request, asked or about to be, with what rules look at. */
export type Judged = Pick<RequestRow, 'plan' | 'findings' | 'tool' | 'agentKey' | 'agentName' | 'projectDir'>

/** What a request is to the rules. */
export function factsOf(request: Judged, chat: Pick<Facts, 'chatId' | 'outerChats'>): Facts {
  const { plan, findings, tool, agentKey, agentName, projectDir } = request
  return { plan, findings, tool, agent: { key: agentKey, label: agentName }, projectDir, ...chat }
}

/** What an organisation demands; it only tightens (`security.md` 4.2). */
export interface PolicyGrounds {
  /** Denying and asking rules; an allowing one counts for nothing. */
  rules: readonly Rule[]
  neverRemember: readonly string[]
  requireApprovalFor: readonly string[]
}

export interface Grounds {
  rules: readonly Rule[]
  mode: AgentMode
  policy?: PolicyGrounds | null
  /** A stored rule could not be read: it may have been one that denies, so nothing is allowed by rules. */
  damaged?: boolean
  now: number
}

export type Verdict =
  | { outcome: 'allow'; rule: Rule }
  /** Without a rule: the chat's mode. */
  | { outcome: 'deny'; rule: Rule | null }
  /** `rule`: the one that says so; `why`: what kept an allowing rule from counting. */
  | { outcome: 'ask'; rule: Rule | null; why: string | null }

/**
 * What rules and mode say about a request, in the order of `approvals.md` 5: deny, then ask, then allow, whatever the
 * age and the order of the rules. What nobody allows is asked for.
 */
export function decideByRules(facts: Facts, grounds: Grounds): Verdict {
  const found = matching(facts, grounds)
  const denied = found('deny', 'yes')
  if (denied) return { outcome: 'deny', rule: denied }
  if (grounds.mode === 'never' && isRun(facts.plan)) return { outcome: 'deny', rule: null }
  const asking = found('ask', 'yes') ?? found('ask', 'unsure') ?? found('deny', 'unsure')
  if (asking) return { outcome: 'ask', rule: asking, why: null }
  const allowed = found('allow', 'yes')
  if (!allowed) return { outcome: 'ask', rule: null, why: null }
  const why = whyNotByRule(facts, grounds)
  return why === null ? { outcome: 'allow', rule: allowed } : { outcome: 'ask', rule: null, why }
}

/** Why no allowing rule counts for this request; null when one may. */
export function whyNotByRule(facts: Facts, { mode, policy, damaged }: Grounds): string | null {
  if (damaged) return 'A rule could not be read, so none allows anything.'
  if (mode !== 'ask') return 'This chat asks every time.'
  return whyNotRemembered(facts, policy ?? null)
}

/** Scripts, hooks, commands and what is prepared for them: what the mode of a chat is about. */
export function isRun(plan: RequestPlan): boolean {
  return runPlanOf(plan) !== null
}

type Found = (effect: Rule['effect'], answer: 'yes' | 'unsure') => Rule | undefined

function matching(facts: Facts, { rules, policy, now }: Grounds): Found {
  const strict = (policy?.rules ?? []).filter(({ effect }) => effect !== 'allow')
  const inOrder = [...strict, ...rules].toSorted(byAge)
  return (effect, answer) =>
    inOrder.find((rule) => rule.effect === effect && matches(rule, facts, now) === answer)
}

/** The oldest is named where several say the same. */
function byAge(a: Rule, b: Rule): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
}
