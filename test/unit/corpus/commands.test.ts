import { expect, test } from 'vitest'
import { decideByRules, type Facts } from '../../../src/main/approvals/rules/decide'
import { allowingRule, asRule } from '../../../src/main/approvals/rules/offers'
import { ALLOWED, COMMAND_CASES } from '../../corpus/command-cases'
import { factsOf, shell } from '../main/approvals/rules/plans'

const allow = (facts: Facts) => ({
  ...asRule(allowingRule(facts, 'exact', { lifetime: 'always', expiresAt: null }), 1),
  id: 'rule_1',
})
const rules = ALLOWED.map((text) => allow(factsOf(shell(text))))
const outcome = (text: string, more = rules) =>
  decideByRules(factsOf(shell(text)), { rules: more, mode: 'ask', now: 1 }).outcome

test('the rules allow what they are for', () => {
  expect(ALLOWED.filter((text) => outcome(text) === 'allow')).toEqual([
    'ls',
    'echo x',
    'cat x',
    'find .',
    'sort x',
    'rg x',
  ])
})

test.each(COMMAND_CASES)('$id $text is asked for, whatever rules allow beside it', ({ text }) => {
  expect(outcome(text)).toBe('ask')
})

test.each(COMMAND_CASES)('$id $text is remembered only where its parts are plain', ({ text, isPlain }) => {
  expect(outcome(text, [allow(factsOf(shell(text)))])).toBe(isPlain ? 'allow' : 'ask')
})
