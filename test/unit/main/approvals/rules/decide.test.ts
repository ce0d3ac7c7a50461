import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Finding } from '@shared/domain/approval'
import type { Rule } from '@shared/domain/rule'
import { decideByRules, type Facts, type Grounds } from '../../../../../src/main/approvals/rules/decide'
import { allowingRule, asRule } from '../../../../../src/main/approvals/rules/offers'
import { edit, factsOf, mcp, rule, script, shell } from './plans'

const allow = (facts: Facts, over: Partial<Rule> = {}): Rule => ({
  ...asRule(allowingRule(facts, 'exact', { lifetime: 'always', expiresAt: null }), 1),
  id: 'allow',
  ...over,
})
const decide = (facts: Facts, rules: Rule[], over: Partial<Grounds> = {}) =>
  decideByRules(facts, { rules, mode: 'ask', now: 100, ...over }).outcome
const denyScript = rule({ effect: 'deny', match: { shape: 'script', skill: 'pdf', path: 'scripts/fill.py' } })
const askSkill = rule({ effect: 'ask', match: { shape: 'skill', skill: 'pdf' } })
const run = factsOf(script)

describe('decideByRules', () => {
  test('asks for what no rule mentions', () => {
    expect(decide(run, [])).toBe('ask')
  })

  test('allows what a rule of the person allows exactly', () => {
    expect(decide(run, [allow(run)])).toBe('allow')
  })

  test('takes deny before ask before allow, whatever their age and order', () => {
    const rules = [allow(run), askSkill, denyScript]
    fc.assert(
      fc.property(
        fc.shuffledSubarray(rules, { minLength: 1 }),
        fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }),
        (some, ages) => {
          const aged = some.map((one, index) => ({ ...one, createdAt: ages[index] ?? 0 }))
          const strictest = (['deny', 'ask', 'allow'] as const).find((effect) =>
            some.some((one) => one.effect === effect),
          )
          expect(decide(run, aged)).toBe(strictest)
        },
      ),
    )
  })

  test('says the same of the same rules in any order, and names the oldest', () => {
    const twins = ['a', 'b', 'c'].map((id, index) => ({ ...allow(run), id, createdAt: 5 - index }))
    fc.assert(
      fc.property(fc.shuffledSubarray(twins, { minLength: 3 }), (rules) => {
        expect(decideByRules(run, { rules, mode: 'ask', now: 100 })).toMatchObject({ rule: { id: 'c' } })
      }),
    )
  })

  test.each([
    ['turned off', { state: 'off' as const }],
    ['revoked', { state: 'revoked' as const }],
    ['over', { expiresAt: 100 }],
    ['for another agent', { agent: { key: 'personal:other', label: 'Other' } }],
    ['for another project', { project: { dir: '/other' } }],
    ['for everywhere, which an allowing rule can’t be', { project: null }],
    ['for another chat', { lifetime: 'chat' as const, chatId: 'ses_2' }],
    ['for a chat that is not named', { lifetime: 'chat' as const, chatId: null }],
  ])('takes no notice of an allowing rule that is %s', (_, over) => {
    expect(decide(run, [allow(run, over)])).toBe('ask')
  })

  test('keeps an answer for one chat from the chats that it begins, but not a refusal', () => {
    const fork = factsOf(script, { chatId: 'ses_fork', outerChats: ['ses_1'] })
    const inChat = { lifetime: 'chat' as const, chatId: 'ses_1' }
    expect(decide(fork, [allow(run, inChat)])).toBe('ask')
    expect(decide(fork, [{ ...denyScript, ...inChat }])).toBe('deny')
    expect(decide(fork, [allow(run), { ...askSkill, ...inChat }])).toBe('ask')
  })

  test('lets no rule allow in the mode "Ask every time"', () => {
    expect(decide(run, [allow(run)], { mode: 'every-time' })).toBe('ask')
  })

  test('denies scripts, hooks and commands in the mode "Never run scripts", and nothing else', () => {
    for (const plan of [script, { ...script, kind: 'hook' as const }, shell('ls')]) {
      expect(decide(factsOf(plan), [], { mode: 'never' })).toBe('deny')
    }
    for (const plan of [edit, mcp]) expect(decide(factsOf(plan), [], { mode: 'never' })).toBe('ask')
  })

  test('allows nothing while a rule can’t be read', () => {
    expect(decide(run, [allow(run)], { damaged: true })).toBe('ask')
  })

  const serious: Finding = { id: 'root', level: 'serious', title: 'Uses sudo', text: '' }
  const secret: Finding = { id: 'environment-secrets', level: 'notable', title: 'Secrets', text: '' }
  test.each([
    ['a serious finding', factsOf(script, { findings: [serious] })],
    ['secrets', factsOf(script, { findings: [secret] })],
    ['a secret that was given', factsOf({ ...script, secrets: ['API_KEY'] })],
    ['a full-screen program', factsOf({ ...script, interactive: true, fullScreen: true })],
    ['no sandbox', factsOf({ ...script, sandbox: { ...script.sandbox, backend: 'none' } })],
    ['network', factsOf({ ...script, sandbox: { ...script.sandbox, network: 'on' } })],
    [
      'writing elsewhere',
      factsOf({ ...script, sandbox: { ...script.sandbox, writable: ['/w', '/w-evil'] } }),
    ],
    ['a command that can’t be taken apart', factsOf(shell('echo $(date)'))],
    ['a command that starts others', factsOf(shell('git status'))],
    ['a change of a file', factsOf(edit)],
  ])('is not allowed by a rule with %s, even if one is there', (_, facts) => {
    expect(decide(facts, [allow(facts)])).toBe('ask')
  })

  describe('under a policy', () => {
    const policy = (over: object) => ({
      policy: { rules: [], neverRemember: [], requireApprovalFor: [], ...over },
    })

    test('denies what the policy denies although the person allows it', () => {
      const noBash = rule({ effect: 'deny', match: { shape: 'tool', tool: 'Bash' } }, { origin: 'policy' })
      const ls = factsOf(shell('ls'))
      expect(decide(ls, [allow(ls)], policy({ rules: [noBash] }))).toBe('deny')
    })

    test('never lets the policy allow', () => {
      expect(decide(run, [], policy({ rules: [allow(run)] }))).toBe('ask')
    })

    test.each(['scripts', 'scope:personal', 'skill:pdf', 'tool:skills_run_script'])(
      'asks each time for what it keeps from being remembered: %s',
      (entry) => {
        expect(decide(run, [allow(run)], policy({ neverRemember: [entry] }))).toBe('ask')
        expect(decide(run, [allow(run)], policy({ requireApprovalFor: [entry] }))).toBe('ask')
      },
    )
  })
})

describe('rules that deny or ask', () => {
  test.each([
    [
      'a script, whatever its contents',
      script,
      { shape: 'script', skill: 'pdf', path: 'scripts/fill.py' },
      'deny',
    ],
    ['another script', script, { shape: 'script', skill: 'pdf', path: 'scripts/x.py' }, 'ask'],
    ['the copy of a skill', script, { shape: 'skill', skill: 'pdf', key: 'personal:/pdf' }, 'deny'],
    ['another copy', script, { shape: 'skill', skill: 'pdf', key: 'project:/pdf' }, 'ask'],
    ['all scripts', script, { shape: 'tool', tool: 'skills_run_script' }, 'deny'],
    ['hooks', { ...script, kind: 'hook' }, { shape: 'tool', tool: 'hooks' }, 'deny'],
    ['commands', shell('ls'), { shape: 'tool', tool: 'bash' }, 'deny'],
    ['changes of files', edit, { shape: 'tool', tool: 'Write' }, 'deny'],
    ['a folder', edit, { shape: 'tool', tool: 'Edit', path: 'docs/' }, 'deny'],
    ['a folder in another spelling', edit, { shape: 'tool', tool: 'Edit', path: 'DOCS' }, 'deny'],
    ['a folder beside it', edit, { shape: 'tool', tool: 'Edit', path: 'doc' }, 'ask'],
    ['an MCP server', mcp, { shape: 'tool', tool: 'mcp__tickets' }, 'deny'],
    ['an MCP tool', mcp, { shape: 'tool', tool: 'mcp__tickets__search' }, 'deny'],
    ['another MCP tool', mcp, { shape: 'tool', tool: 'mcp__tickets__close' }, 'ask'],
    ['everything', mcp, { shape: 'tool', tool: '*' }, 'deny'],
  ] as const)('deny %s', (_, plan, match, outcome) => {
    expect(decide(factsOf(plan), [rule({ effect: 'deny', match })])).toBe(outcome)
  })
})
