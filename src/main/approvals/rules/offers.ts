import type { ArgScope } from '@shared/domain/arg-scope'
import { runPlanOf } from '@shared/domain/approval'
import type { Rule, RuleDraft, RuleMatch, RuleScope } from '@shared/domain/rule'
import { decideByRules, whyNotByRule, type Facts, type Grounds } from './decide'
import { fingerprint } from './fingerprint'
import { hostileVariants } from './hostile'
import { matches } from './match'
import { argScopesOf } from './remember'

/** What may be remembered of a request. */
export interface Offers {
  /** Empty: nothing. */
  args: ArgScope[]
  /** Why nothing is offered; null where something is. */
  why: string | null
}

/**
 * The rules that may be offered: each allows the whole request, and none of its hostile variants (`approvals.md` 8).
 * One that would not count, because another asks or denies, is not offered.
 */
export function offersFor(facts: Facts, grounds: Grounds): Offers {
  const why = whyNotByRule(facts, grounds)
  if (why !== null) return { args: [], why }
  const args = argScopesOf(facts.plan).filter((scope) => {
    const rule = asRule(allowingRule(facts, scope, { lifetime: 'always', expiresAt: null }), grounds.now)
    const verdict = decideByRules(facts, { ...grounds, rules: [...grounds.rules, rule] })
    return verdict.outcome === 'allow' && problemOf(rule, grounds.now) === null
  })
  return args.length > 0 ? { args, why: null } : { args, why: 'A rule of yours asks for this every time.' }
}

/** The rule that "allow" with these arguments makes of a request. */
export function allowingRule(
  facts: Pick<Facts, 'plan' | 'agent' | 'projectDir' | 'chatId'>,
  shape: ArgScope,
  { lifetime, expiresAt }: Pick<RuleScope, 'lifetime' | 'expiresAt'>,
): RuleDraft {
  const { plan, agent, projectDir, chatId } = facts
  return {
    effect: 'allow',
    match: { shape, fingerprint: fingerprint(plan, shape, projectDir) },
    agent,
    project: { dir: projectDir },
    lifetime,
    chatId: lifetime === 'chat' ? chatId : null,
    expiresAt,
    example: plan,
  }
}

/** Whether an allowing rule was made for this script while its skill had other contents: it does not apply any more. */
export function isLapsed(rule: Rule, facts: Facts): boolean {
  const { example } = rule
  const before = example && runPlanOf(example)
  const now = runPlanOf(facts.plan)
  if (!before?.skill || !now?.skill) return false
  const isSame = before.skill.key === now.skill.key && before.script?.path === now.script?.path
  return isSame && before.skill.treeDigest !== now.skill.treeDigest && isForSame(rule, facts)
}

function isForSame({ agent, chatId, effect, project, state }: Rule, facts: Facts): boolean {
  if (effect !== 'allow' || state !== 'on') return false
  if (chatId !== null && chatId !== facts.chatId) return false
  return agent?.key === facts.agent.key && project?.dir === facts.projectDir
}

/** "Always deny this script", or the command, the tool or the file that the request is about; null: it has no name. */
export function denyingRule(facts: Facts): RuleDraft | null {
  const match = denyingMatch(facts)
  if (match === null) return null
  const { agent, projectDir, plan } = facts
  return {
    effect: 'deny',
    match,
    agent,
    project: { dir: projectDir },
    lifetime: 'always',
    chatId: null,
    expiresAt: null,
    example: plan,
  }
}

function denyingMatch({ plan, tool }: Facts): RuleMatch | null {
  if (plan.kind === 'file_edit') return { shape: 'tool', tool: 'Write', path: plan.path }
  if (plan.kind === 'mcp') return { shape: 'tool', tool }
  if (!plan.skill || !plan.script) return null
  return { shape: 'script', skill: plan.skill.name, key: plan.skill.key, path: plan.script.path }
}

/**
 * Why a rule can't be relied on, found by its own tests; null when it can. It must match what it was made from, and,
 * where it allows, none of the hostile variants of that.
 */
export function problemOf(rule: Rule, now: number): string | null {
  const { example, effect, match } = rule
  // It has digests in the place of an example.
  if (match.shape === 'author') return null
  if (example === null) return effect === 'allow' ? 'It does not say what it was made from.' : null
  const test = { ...rule, state: 'on' as const, expiresAt: null }
  const facts = factsOf(rule)
  if (matches(test, { ...facts, plan: example }, now) === 'no')
    return 'It no longer matches what it was made from.'
  if (effect !== 'allow') return null
  const passed = hostileVariants(example, rule.project?.dir ?? null).find(
    ({ plan, unless }) =>
      !unless?.some((scope) => scope === match.shape) && matches(test, { ...facts, plan }, now) === 'yes',
  )
  return passed ? `It would also allow ${passed.name}.` : null
}

/** A request as the one that the rule was made from. */
function factsOf({ agent, project, chatId, match }: Rule): Omit<Facts, 'plan'> {
  return {
    findings: [],
    tool: match.shape === 'tool' ? match.tool : '',
    agent: agent ?? { key: '', label: '' },
    projectDir: project?.dir ?? null,
    chatId: chatId ?? '',
    outerChats: [],
  }
}

/** A draft as if it were saved. */
export function asRule(draft: RuleDraft, now: number): Rule {
  return {
    ...draft,
    id: '',
    state: 'on',
    origin: 'own',
    createdAt: now,
    createdFrom: null,
    lastUsedAt: null,
    useCount: 0,
    justification: null,
  }
}
