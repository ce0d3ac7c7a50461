import { z } from 'zod'
import { canonicalJson } from '@shared/canonical-json'
import type { RequestPlan } from '@shared/domain/approval'
import { Rule, type RuleDraft } from '@shared/domain/rule'
import { AppError } from '@shared/errors'
import type { PolicyGrounds } from './decide'
import { asRule, problemOf } from './offers'
import { argScopesOf, whyNotRemembered } from './remember'

/** A rule of a file, as it would be saved. */
export interface PortedRule {
  draft: RuleDraft
  state: 'on' | 'off'
  justification: string | null
  /** Why it is not taken; null: it can be. */
  problem: string | null
}

export interface PortGrounds {
  now: number
  policy: PolicyGrounds | null
  /** Those that the person has. */
  known: readonly Rule[]
  /** Agents that asked for something here, by their keys, with the names that they have here. */
  agents: ReadonlyMap<string, string>
  /** Whether a person here allowed a request of just these contents before. */
  wasAllowed(plan: RequestPlan): boolean
}

/** Characters of a file; a rule with its whole request has a few thousand. */
export const MAX_RULE_FILE = 2_000_000

/** The last moment that is a date. */
const LAST_DATE = 8_640_000_000_000_000
const LONGEST_MS = 90 * 24 * 60 * 60 * 1000

const Entry = z.strictObject({
  effect: Rule.shape.effect,
  match: Rule.shape.match,
  agent: z
    .object({ key: z.string().min(1), label: z.string().regex(/\S/, 'An agent has a name.') })
    .nullable(),
  project: Rule.shape.project,
  expiresAt: z.int().max(LAST_DATE).nullable(),
  state: z.enum(['on', 'off']),
  justification: Rule.shape.justification,
  example: Rule.shape.example,
})

const RuleFile = z.object({
  kind: z.literal('satchel-rules'),
  version: z.literal(1),
  rules: z.array(z.unknown()).max(1000),
})

/** What is written into a file: the person's own rules that hold always. Those of one chat mean nothing elsewhere. */
export function ruleFile(rules: readonly Rule[], now: number): { text: string; count: number } {
  const entries = rules
    .filter(({ origin, state, lifetime }) => origin === 'own' && state !== 'revoked' && lifetime === 'always')
    .filter(({ expiresAt, match }) => (expiresAt === null || expiresAt > now) && match.shape !== 'author')
    .map(({ effect, match, agent, project, expiresAt, state, justification, example }) => ({
      effect,
      match,
      agent,
      project,
      expiresAt,
      state,
      justification,
      example,
    }))
  const file = { kind: 'satchel-rules', version: 1, rules: entries }
  return { text: `${JSON.stringify(file, null, 2)}\n`, count: entries.length }
}

/**
 * The rules of a file, each with why it is not taken. None is taken that a review, or the form for rules that deny and
 * ask, could not make. Throws `bad_input` for a file as a whole, or an entry, that is not understood.
 */
export function readRuleFile(text: string, grounds: PortGrounds): PortedRule[] {
  if (text.length > MAX_RULE_FILE) throw new AppError('too_large', 'This file is too large for rules.')
  const seen = new Set(grounds.known.filter(({ state }) => state !== 'revoked').map(saysOf))
  return parsed(text).rules.map((entry, index) => {
    const ported = readEntry(entry, index, grounds)
    const says = saysOf(ported.draft)
    const isKnown = seen.has(says)
    seen.add(says)
    return isKnown && ported.problem === null ? { ...ported, problem: 'You have this rule already.' } : ported
  })
}

function parsed(text: string): z.output<typeof RuleFile> {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError('bad_input', `This file is no JSON, so it holds no rules: ${reason}`)
  }
  const file = RuleFile.safeParse(value)
  if (file.success) return file.data
  throw new AppError(
    'bad_input',
    'This file holds no rules that Satchel exported: it must be { "kind": "satchel-rules", "version": 1, "rules": [ … ] } with at most 1,000 rules.',
  )
}

function readEntry(entry: unknown, index: number, grounds: PortGrounds): PortedRule {
  const known = Entry.safeParse(entry)
  if (!known.success) {
    const [issue] = known.error.issues
    const where = issue?.path.map(String).join('.') || 'the rule'
    throw new AppError(
      'bad_input',
      `Rule ${index + 1} of this file is not understood (${where}: ${issue?.message ?? ''}). Nothing was imported.`,
    )
  }
  const { state, justification, ...rest } = known.data
  const agent = rest.agent && { key: rest.agent.key, label: nameHere(rest.agent.key, grounds) }
  const draft: RuleDraft = { ...rest, agent, lifetime: 'always', chatId: null }
  return { draft, state, justification, problem: whyNotTaken(draft, grounds) }
}

/** What an agent is called here: a file may call it anything. */
function nameHere(key: string, { agents }: PortGrounds): string {
  return agents.get(key) ?? (PLAIN_KEY.test(key) ? key : 'an unknown agent')
}

const PLAIN_KEY = /^[a-z]+:[\w.-]{1,100}$/i

function whyNotTaken(draft: RuleDraft, grounds: PortGrounds): string | null {
  const { now, policy } = grounds
  if (draft.expiresAt !== null && draft.expiresAt <= now) return 'It has ended.'
  const problem = draft.effect === 'allow' ? whyTooWide(draft, policy) : whyUseless(draft)
  return problem ?? whyNotHere(draft, grounds) ?? problemOf(asRule(draft, now), now)
}

/** What a rule that allows says must be true here, and its contents must have been seen here (decision 42). */
function whyNotHere(
  { effect, agent, expiresAt, example }: RuleDraft,
  { now, agents, wasAllowed }: PortGrounds,
): string | null {
  if (agent && !agents.has(agent.key) && (effect === 'allow' || !PLAIN_KEY.test(agent.key)))
    return 'It is for an agent that never asked for anything here.'
  if (effect !== 'allow') return null
  if (expiresAt !== null && expiresAt > now + LONGEST_MS)
    return 'It would hold longer than a review offers: 30 days, 90 days, or until it changes.'
  if (example === null || wasAllowed(example)) return null
  return 'Nobody allowed these contents here yet. Allow them once in a review, then import it.'
}

/** A rule that allows comes from the review of one request: for one agent and place, and as wide as that offers. */
function whyTooWide(
  { match, agent, project, example }: RuleDraft,
  policy: PolicyGrounds | null,
): string | null {
  if (!('fingerprint' in match) || example === null) return 'It does not say exactly what it allows.'
  if (agent === null || project === null) return 'It would allow for every agent or in every project.'
  if (!argScopesOf(example).includes(match.shape)) return 'It would leave more open than a review offers.'
  const tool = example.kind === 'shell' ? 'Bash' : ''
  return whyNotRemembered({ plan: example, findings: [], tool }, policy)
}

function whyUseless({ match }: RuleDraft): string | null {
  return 'fingerprint' in match || match.shape === 'author'
    ? 'It does not name what it denies or asks about.'
    : null
}

/** Two rules that say the same are one. */
function saysOf({ effect, match, agent, project }: RuleDraft): string {
  return canonicalJson({ effect, match, agent: agent?.key ?? null, project })
}
