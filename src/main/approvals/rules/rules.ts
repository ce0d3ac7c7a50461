import type { FileRule, NewRule, Rule, RuleChange, RuleDraft, RuleList, RuleView } from '@shared/domain/rule'
import type { RuleDays } from '@shared/domain/arg-scope'
import { AppError } from '@shared/errors'
import { ruleText } from '@shared/rule-sentence'
import type { Audit } from '../../audit/audit'
import type { Db } from '../../db/open'
import { agentsThatAsked, allowedByPerson, recentRequests, type RequestRow } from '../../db/request-rows'
import { getRule, insertRule, listRules, noteRuleUse, updateRule } from '../../db/rule-rows'
import { getSession } from '../../db/session-rows'
import { newId } from '../../lib/ids'
import { factsOf, type Grounds, type PolicyGrounds } from './decide'
import { fingerprint } from './fingerprint'
import { matches } from './match'
import { asRule, problemOf } from './offers'
import { readRuleFile, ruleFile, type PortedRule } from './portable'
import { isSameContents, scriptOf } from './same-contents'
import { readProjectRules } from './project-file'
import { argScopesOf, whyNotRemembered } from './remember'

/** The rules of a person, as rows. Methods that write and say so are called inside a transaction of the caller. */
export interface Rules {
  /** All that a decision in this project is made on, but for the chat's mode. */
  grounds(projectDir: string | null): Omit<Grounds, 'mode'>
  /** Saves what a person decided in a review; inside a transaction. Throws `bad_input` when its own tests fail. */
  add(draft: RuleDraft, createdFrom: string | null): Rule
  /** Counts a use; inside a transaction. */
  used(rule: Rule): void
  list(projectDirs: readonly string[]): RuleList
  change(change: RuleChange): Rule
  create(input: NewRule): Rule
  /** How many of the last requests the rule would have matched, and which, the newest first. */
  wouldMatch(rule: RuleDraft): WouldMatch
  /** The person's rules as a file, and how many. */
  exportFile(): { text: string; count: number }
  /** What a file of rules holds; nothing is saved. Throws `bad_input` where it is not understood. */
  readFile(text: string): FileRule[]
  /** Saves these of a file, by their places in it. Throws `bad_input`, and saves none, where one can't be taken. */
  importFile(text: string, chosen: readonly number[]): number
  /** At start: rules whose own tests fail are turned off. Returns what a person must be told, in sentences. */
  test(): string[]
}

export interface WouldMatch {
  matched: RequestRow[]
  of: number
}

interface Context {
  db: Db
  audit: Audit
  now(): number
  /** What the organisation demands; left out: nothing. */
  policy?: () => PolicyGrounds | null
}

const LOOKED_AT = 200
const DAY_MS = 24 * 60 * 60 * 1000

export function createRules(deps: Context): Rules {
  return {
    grounds: (projectDir) => grounds(deps, projectDir),
    add: (draft, createdFrom) => add(deps, draft, createdFrom),
    used: ({ id, origin }) => origin === 'own' && noteRuleUse(deps.db.sql, id, deps.now()),
    list: (projectDirs) => list(deps, projectDirs),
    change: (change) => deps.db.durable(() => changeRule(deps, change)),
    create: (input) => deps.db.durable(() => add(deps, byHand(input), null)),
    wouldMatch: (rule) => wouldMatch(deps, rule),
    exportFile: () => ruleFile(listRules(deps.db.sql).rules, deps.now()),
    readFile: (text) => portedOf(deps, text).map((ported) => fileRule(deps, ported)),
    importFile: (text, chosen) => deps.db.durable(() => importFile(deps, text, chosen)),
    test: () => deps.db.durable(() => testAll(deps)),
  }
}

/** When a rule that is made now ends. */
export function expiryOf(days: RuleDays, now: number): number | null {
  return days === null ? null : now + days * DAY_MS
}

/** A rule as one sentence, for records and messages; dates as they are in every place. */
export function sentenceOf(rule: RuleDraft): string {
  return ruleText(rule, (at) => new Date(at).toISOString().slice(0, 10))
}

function grounds({ db, now, policy }: Context, projectDir: string | null): Omit<Grounds, 'mode'> {
  const own = listRules(db.sql)
  const project = readProjectRules(projectDir)
  return {
    rules: [...own.rules, ...project.rules],
    damaged: own.damaged > 0 || project.damaged !== null,
    policy: policy?.() ?? null,
    now: now(),
  }
}

function add(
  { db, audit, now }: Context,
  draft: RuleDraft,
  createdFrom: string | null,
  over: Partial<Pick<Rule, 'state' | 'justification'>> = {},
): Rule {
  const rule: Rule = { ...asRule(draft, now()), ...over, id: newId('rule'), createdFrom }
  const problem = problemOf(rule, now())
  if (problem !== null) throw new AppError('bad_input', `This rule was not saved. ${problem}`)
  insertRule(db.sql, rule)
  audit.append({ ...entryOf(rule), action: 'rule.created' })
  return rule
}

function portedOf({ db, now, policy }: Context, text: string): PortedRule[] {
  return readRuleFile(text, {
    now: now(),
    policy: policy?.() ?? null,
    known: listRules(db.sql).rules,
    agents: agentsThatAsked(db.sql),
    wasAllowed: (plan) =>
      allowedByPerson(db.sql, scriptOf(plan)).some((row) => isSameContents(row.plan, plan)),
  })
}

function fileRule(context: Context, { draft, problem }: PortedRule): FileRule {
  const { matched, of } = wouldMatch(context, draft)
  return { text: sentenceOf(draft), effect: draft.effect, problem, matched: matched.length, of }
}

function importFile(context: Context, text: string, chosen: readonly number[]): number {
  const ported = portedOf(context, text)
  const wanted = new Set(chosen)
  for (const at of wanted) {
    const rule = ported[at]
    if (!rule) throw new AppError('bad_input', 'The file has no such rule. Read it again.')
    if (rule.problem !== null)
      throw new AppError('bad_input', `Nothing was imported. Rule ${at + 1}: ${rule.problem}`)
    add(context, rule.draft, null, { state: rule.state, justification: rule.justification })
  }
  return wanted.size
}

function entryOf(rule: Rule) {
  const { id, effect, match, chatId, createdFrom, expiresAt } = rule
  return {
    actor: 'person' as const,
    sessionId: chatId,
    target: sentenceOf(rule),
    data: { ruleId: id, effect, match, createdFrom, expiresAt },
  }
}

function list(context: Context, projectDirs: readonly string[]): RuleList {
  const { rules, damaged } = listRules(context.db.sql)
  const files = projectDirs.map((dir) => ({ dir, ...readProjectRules(dir) }))
  const shown = [
    ...(context.policy?.()?.rules ?? []),
    ...rules.filter(({ state }) => state !== 'revoked'),
    ...files.flatMap((file) => file.rules),
  ]
  return {
    rules: shown.map((rule) => viewOf(context, rule)),
    notes: [
      ...(damaged > 0
        ? [`${damaged} of your rules can’t be read. Until they are gone, no rule allows anything.`]
        : []),
      ...files.flatMap(({ dir, damaged: why, suggestions }) => [
        ...(why === null
          ? []
          : [`.satchel/rules.json of ${dir} is not used. ${why} No rule allows anything there.`]),
        ...suggestions.map(
          (said) => `${dir} suggests to allow ${said}. Only you can make such a rule, in a review.`,
        ),
      ]),
    ],
  }
}

function viewOf({ db, now }: Context, rule: Rule): RuleView {
  return {
    ...rule,
    problem: problemOf(rule, now()),
    chatTitle: rule.chatId === null ? null : (getSession(db.sql, rule.chatId)?.title ?? null),
    argScopes: rule.effect === 'allow' && rule.example ? argScopesOf(rule.example) : [],
  }
}

function changeRule({ db, audit, now }: Context, change: RuleChange): Rule {
  const rule = getRule(db.sql, change.id)
  if (!rule) throw new AppError('not_found', 'This rule does not exist any more.')
  const { state = rule.state, days } = change
  if (rule.match.shape === 'author' && (state === 'on' || days !== undefined)) {
    throw new AppError('bad_input', 'This ends by itself. Turn it on again where you edit the skill.')
  }
  const changed: Rule = {
    ...rule,
    state,
    match: change.args === undefined ? rule.match : widened(rule, change.args),
    expiresAt: days === undefined ? rule.expiresAt : expiryOf(days, now()),
  }
  const problem = state === 'on' ? problemOf(changed, now()) : null
  if (problem !== null) throw new AppError('bad_input', `This rule can't be used. ${problem}`)
  updateRule(db.sql, changed)
  audit.append({ ...entryOf(changed), action: state === 'revoked' ? 'rule.revoked' : 'rule.changed' })
  return changed
}

/** Only as wide as the review of its request offered. */
function widened(
  { match, effect, example, project }: Rule,
  shape: NonNullable<RuleChange['args']>,
): Rule['match'] {
  const isOffered = effect === 'allow' && example && argScopesOf(example).includes(shape)
  if (!isOffered || !('fingerprint' in match)) {
    throw new AppError('bad_input', 'The arguments of this rule can not be left open.')
  }
  return { shape, fingerprint: fingerprint(example, shape, project?.dir ?? null) }
}

function byHand({ effect, match, projectDir }: NewRule): RuleDraft {
  if ('fingerprint' in match || match.shape === 'author')
    throw new AppError('bad_input', 'A rule that allows is made in the review of a request.')
  return {
    effect,
    match,
    agent: null,
    project: projectDir === null ? null : { dir: projectDir },
    lifetime: 'always',
    chatId: null,
    expiresAt: null,
    example: null,
  }
}

function wouldMatch({ db, now }: Context, draft: RuleDraft): WouldMatch {
  const rule: Rule = { ...asRule(draft, now()), state: 'on', expiresAt: null }
  const rows = recentRequests(db.sql, LOOKED_AT)
  return { matched: rows.filter((row) => isMatch(rule, row, now())), of: rows.length }
}

function isMatch(rule: Rule, row: RequestRow, now: number): boolean {
  const facts = factsOf(row, { chatId: row.sessionId, outerChats: [] })
  if (rule.effect === 'allow' && whyNotRemembered(facts, null) !== null) return false
  return matches(rule, facts, now) === 'yes'
}

function testAll(context: Context): string[] {
  const { db, audit, now } = context
  const { rules, damaged } = listRules(db.sql)
  const failing = rules.flatMap((rule) => {
    const problem = rule.state === 'on' ? problemOf(rule, now()) : null
    return problem === null ? [] : [{ rule, problem }]
  })
  for (const { rule, problem } of failing) {
    updateRule(db.sql, { ...rule, state: 'off' })
    audit.append({
      ...entryOf(rule),
      actor: 'app',
      action: 'rule.disabled',
      data: { ruleId: rule.id, problem },
    })
  }
  return [
    ...failing.map(({ rule, problem }) => `A rule was turned off. ${problem} It said: ${sentenceOf(rule)}`),
    ...(damaged > 0 ? ['A rule can’t be read. Until it is gone, everything is asked for.'] : []),
  ]
}
