import { describe, expect, test } from 'vitest'
import type { RunPlan } from '@shared/domain/approval'
import type { Rule, RuleDraft } from '@shared/domain/rule'
import { fingerprint } from '../../../../../src/main/approvals/rules/fingerprint'
import { allowingRule, asRule } from '../../../../../src/main/approvals/rules/offers'
import { readRuleFile, ruleFile } from '../../../../../src/main/approvals/rules/portable'
import { edit, factsOf, script, shell } from './plans'

const NOW = 1000
const agent = factsOf(script).agent
const grounds = {
  now: NOW,
  policy: null,
  known: [],
  agents: new Map([[agent.key, agent.label]]),
  wasAllowed: () => true,
}
const always = (draft: RuleDraft, over: Partial<Rule> = {}): Rule => ({
  ...asRule(draft, 1),
  id: 'rule_1',
  ...over,
})
const allowing = always(allowingRule(factsOf(script), 'flags', { lifetime: 'always', expiresAt: 5000 }))
const denying = always({
  effect: 'deny',
  match: { shape: 'command', words: ['git', 'push'] },
  agent: null,
  project: null,
  lifetime: 'always',
  chatId: null,
  expiresAt: null,
  example: null,
})

/** A file of this rule, changed by hand. */
function changed(rule: Rule, change: (entry: Record<string, unknown>) => void): string {
  const file = JSON.parse(ruleFile([rule], NOW).text) as { rules: Record<string, unknown>[] }
  change(file.rules[0]!)
  return JSON.stringify(file)
}

describe('a file of rules', () => {
  test('holds the rules that hold always, and gives them back as they were', () => {
    const { text, count } = ruleFile([allowing, { ...denying, state: 'off', justification: 'Too far' }], NOW)
    expect(count).toBe(2)
    const read = readRuleFile(text, grounds)
    expect(read.map(({ problem, state, justification }) => [problem, state, justification])).toEqual([
      [null, 'on', null],
      [null, 'off', 'Too far'],
    ])
    expect(asRule(read[0]!.draft, 1)).toEqual({ ...allowing, id: '' })
  })

  test.each<[string, Partial<Rule>]>([
    ['revoked ones', { state: 'revoked' }],
    ['those of one chat', { lifetime: 'chat', chatId: 'ses_1' }],
    ['those that have ended', { expiresAt: NOW }],
    ['those of a project’s file', { origin: 'project' }],
  ])('leaves out %s', (_what, over) => {
    expect(ruleFile([{ ...allowing, ...over }], NOW).count).toBe(0)
  })

  test('a rule that is there already is not taken twice, from the file or beside it', () => {
    const { text } = ruleFile([allowing, allowing], NOW)
    expect(readRuleFile(text, grounds).map(({ problem }) => problem)).toEqual([
      null,
      'You have this rule already.',
    ])
    expect(readRuleFile(text, { ...grounds, known: [allowing] })[0]?.problem).toContain('already')
  })
})

describe('no rule is taken that the app could not make', () => {
  const wide = (over: Record<string, unknown>) => (entry: Record<string, unknown>) =>
    void Object.assign(entry, over)
  const withPlan = (plan: RunPlan, shape: 'exact' | 'flags' | 'anyArgs') =>
    wide({ example: plan, match: { shape, fingerprint: fingerprint(plan, shape, '/w') } })

  test.each<[string, (entry: Record<string, unknown>) => void, RegExp]>([
    ['for every agent', wide({ agent: null }), /every agent/],
    ['in every project', wide({ project: null }), /every project/],
    ['without what it was made from', wide({ example: null }), /exactly/],
    ['of a whole skill', wide({ match: { shape: 'skill', skill: 'pdf' } }), /exactly/],
    [
      'with another fingerprint',
      wide({ match: { shape: 'exact', fingerprint: 'e'.repeat(64) } }),
      /no longer matches/,
    ],
    [
      'with another script than its fingerprint',
      wide({ example: { ...script, cwd: '/etc' } }),
      /no longer matches/,
    ],
    ['of a change of a file', wide({ example: edit }), /review|remember/],
    ['of a shell', withPlan(shell('bash x.sh'), 'exact'), /can start other programs/],
    ['of a command with open arguments', withPlan(shell('ls'), 'anyArgs'), /more open/],
    [
      'with the network',
      withPlan({ ...script, sandbox: { ...script.sandbox, network: 'on' } }, 'exact'),
      /network/,
    ],
    [
      'without a sandbox',
      withPlan({ ...script, sandbox: { ...script.sandbox, backend: 'none' } }, 'exact'),
      /sandbox/,
    ],
    ['with secrets', withPlan({ ...script, secrets: ['TOKEN'] }, 'exact'), /secrets/],
    ['that has ended', wide({ expiresAt: NOW }), /ended/],
    ['for longer than the form offers', wide({ expiresAt: NOW + 91 * 86_400_000 }), /30 days, 90 days/],
  ])('one that allows %s', (_what, change, problem) => {
    const [read] = readRuleFile(changed(allowing, change), grounds)
    expect(read?.problem).toMatch(problem)
  })

  test('nor one that the organisation wants to be asked for', () => {
    const policy = { rules: [], neverRemember: [], requireApprovalFor: ['scripts'] }
    const [read] = readRuleFile(ruleFile([allowing], NOW).text, { ...grounds, policy })
    expect(read?.problem).toContain('Your organisation')
  })

  test('nor one whose contents nobody allowed here, while one that denies is taken', () => {
    const here = { ...grounds, wasAllowed: () => false }
    const [allow, deny] = readRuleFile(ruleFile([allowing, denying], NOW).text, here)
    expect(allow?.problem).toContain('Nobody allowed these contents here')
    expect(deny?.problem).toBe(null)
  })

  test('an agent is called what it is called here, whatever the file says', () => {
    const text = changed(allowing, wide({ agent: { ...agent, label: 'Read-only reviewer' } }))
    expect(readRuleFile(text, grounds)[0]).toMatchObject({ problem: null, draft: { agent } })
  })

  test('one for an agent that is not known here allows nothing; one that denies says its key', () => {
    const unknown = { key: 'personal:helper', label: 'General' }
    const allow = changed(allowing, wide({ agent: unknown }))
    expect(readRuleFile(allow, grounds)[0]?.problem).toContain('never asked')
    const deny = changed(denying, wide({ agent: unknown }))
    expect(readRuleFile(deny, grounds)[0]).toMatchObject({
      problem: null,
      draft: { agent: { key: 'personal:helper', label: 'personal:helper' } },
    })
    const odd = changed(denying, wide({ agent: { key: 'personal:\u202ex', label: 'General' } }))
    expect(readRuleFile(odd, grounds)[0]?.problem).toContain('never asked')
  })

  test('one that denies must name what it means', () => {
    const [read] = readRuleFile(changed(allowing, wide({ effect: 'deny' })), grounds)
    expect(read?.problem).toContain('does not name')
  })
})

describe('a file that is not understood', () => {
  test.each([
    ['no JSON', '{ "kind"', /is no JSON/],
    ['something else', '[1, 2]', /holds no rules that Satchel exported/],
    ['of a later version', '{"kind":"satchel-rules","version":2,"rules":[]}', /holds no rules/],
    [
      'a rule of an unknown shape',
      changed(denying, (entry) => (entry['match'] = { shape: 'all' })),
      /Rule 1 .*match/,
    ],
    [
      'an agent without a name',
      changed(allowing, (entry) => (entry['agent'] = { key: 'bundled:general', label: ' ' })),
      /Rule 1 .*agent/,
    ],
    [
      'an end that is no date',
      changed(allowing, (entry) => (entry['expiresAt'] = 1e16)),
      /Rule 1 .*expiresAt/,
    ],
    ['a rule with a field more', changed(denying, (entry) => (entry['lifetime'] = 'chat')), /Rule 1/],
    [
      'too many',
      JSON.stringify({ kind: 'satchel-rules', version: 1, rules: Array.from({ length: 1001 }, () => 0) }),
      /1,000/,
    ],
    ['too large', ' '.repeat(2_000_001), /too large/],
  ])('%s is refused as a whole', (_what, text, message) => {
    expect(() => readRuleFile(text, grounds)).toThrow(message)
  })
})
