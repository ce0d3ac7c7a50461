import { describe, expect, test } from 'vitest'
import type { Finding, RunPlan } from '@shared/domain/approval'
import type { Rule } from '@shared/domain/rule'
import { decideByRules, type Facts, type Grounds } from '../../../../../src/main/approvals/rules/decide'
import { digest, factsOf, mcp, rule, script, shell } from './plans'

const other = 'f'.repeat(64)
const author = (over: Partial<Extract<Rule['match'], { shape: 'author' }>> = {}): Rule =>
  rule({
    effect: 'allow',
    match: {
      shape: 'author',
      skill: 'pdf',
      key: 'personal:/pdf',
      base: other,
      digests: [digest],
      saved: [script.script!.sha256],
      covered: [digest],
      ...over,
    },
  })
const decide = (facts: Facts, rules: Rule[], over: Partial<Grounds> = {}) =>
  decideByRules(facts, { rules, mode: 'ask', now: 100, ...over }).outcome
const changed = (over: Partial<RunPlan>): Facts => factsOf({ ...script, ...over })

describe('a skill that is being edited', () => {
  test('runs what the editor saved, with any plain arguments, for every agent and project', () => {
    expect(decide(factsOf(script), [author()])).toBe('allow')
    expect(
      decide({ ...factsOf(script), agent: { key: 'x', label: 'X' }, projectDir: '/w' }, [author()]),
    ).toBe('allow')
  })

  test.each<[string, Facts]>([
    ['contents that it did not save', changed({ skill: { ...script.skill!, treeDigest: other } })],
    ['another copy of the same name', changed({ skill: { ...script.skill!, key: 'project:/pdf' } })],
    ['a run without a sandbox', changed({ sandbox: { ...script.sandbox, backend: 'none' } })],
    ['a run with network', changed({ sandbox: { ...script.sandbox, network: 'on' } })],
    ['a run that writes elsewhere', changed({ sandbox: { ...script.sandbox, writable: ['/w', '/etc'] } })],
    ['a full-screen program', changed({ interactive: true, fullScreen: true })],
    ['a run with secrets', changed({ secrets: ['TOKEN'] })],
    ['an address as an argument', changed({ argv: [...script.argv, 'https://evil.example/x'] })],
    ['a hook', changed({ kind: 'hook' })],
    ['a command', factsOf(shell('ls'))],
    ['an MCP call', factsOf(mcp)],
  ])('still asks for %s', (_name, facts) => {
    expect(decide(facts, [author()])).toBe('ask')
  })

  test.each<[string, Parameters<typeof author>[0]]>([
    ['a script whose own bytes were not saved', { saved: [other] }],
    ['a tree with a file that nobody vouches for', { covered: [other] }],
    ['the tree that it began with', { base: digest }],
  ])('still asks for %s', (_name, over) => {
    expect(decide(factsOf(script), [author(over)])).toBe('ask')
  })

  test('still asks where a finding is serious, the chat asks every time, or the organisation wants it', () => {
    const serious: Finding = { id: 'x', level: 'serious', title: 't', text: 't' }
    expect(decide({ ...factsOf(script), findings: [serious] }, [author()])).toBe('ask')
    expect(decide(factsOf(script), [author()], { mode: 'every-time' })).toBe('ask')
    expect(decide(factsOf(script), [author()], { damaged: true })).toBe('ask')
    const policy = { rules: [], neverRemember: [], requireApprovalFor: ['scripts'] }
    expect(decide(factsOf(script), [author()], { policy })).toBe('ask')
  })

  test('comes after rules that deny or ask, and after Never run scripts', () => {
    const skill = { shape: 'skill' as const, skill: 'pdf' }
    expect(decide(factsOf(script), [author(), rule({ effect: 'deny', match: skill })])).toBe('deny')
    expect(decide(factsOf(script), [author(), rule({ effect: 'ask', match: skill })])).toBe('ask')
    expect(decide(factsOf(script), [author()], { mode: 'never' })).toBe('deny')
  })

  test('is over when its time is, and means nothing as a rule that denies or asks', () => {
    expect(decide(factsOf(script), [{ ...author(), expiresAt: 100 }])).toBe('ask')
    expect(decide(factsOf(script), [{ ...author(), effect: 'deny' }])).toBe('ask')
  })
})
