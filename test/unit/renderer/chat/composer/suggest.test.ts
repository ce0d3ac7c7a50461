import type { SkillSummary } from '@shared/domain/skill'
import { expect, test } from 'vitest'
import { chat } from '../../../../../src/renderer/chat/strings'
import { firstSentence, firstWords, suggestionsFrom } from '../../../../../src/renderer/chat/composer/suggest'
import { makeSkill } from '../../skills/skills'

const skill = (name: string, part: Partial<SkillSummary> = {}) =>
  makeSkill(name, { description: `Does ${name}. Use when asked.`, ...part })

test('suggestions are at most three, those with a script first', () => {
  const names = suggestionsFrom([skill('a'), skill('b'), skill('c', { scripts: 2 }), skill('d')]).map(
    (one) => one.name,
  )
  expect(names).toEqual(['c', 'a', 'b'])
})

test('only skills that the agent could choose are suggested', () => {
  expect(
    suggestionsFrom([
      skill('a', { status: 'shadowed' }),
      skill('b', { hiddenFromModel: true }),
      skill('c', { status: 'broken' }),
      skill('d', { status: 'not-trusted' }),
      skill('e', { description: '' }),
    ]),
  ).toEqual([])
})

test('a suggestion fills in the first sentence of the description', () => {
  expect(suggestionsFrom([skill('a')])[0]).toMatchObject({ words: 'Does a', text: 'Does a' })
})

test.each([
  ['One. Two.', 'One'],
  ['No end', 'No end'],
  ['Version 1.2 of it. More', 'Version 1.2 of it'],
  ['Lines\n  run on. More', 'Lines run on'],
  ['Really? Yes.', 'Really?'],
])('the first sentence of %j is %j', (text, sentence) => expect(firstSentence(text)).toBe(sentence))

test('long sentences are cut after twelve words', () => {
  expect(firstWords('a b c d e f g h i j k l m n')).toBe('a b c d e f g h i j k l…')
})

test.each([
  ['personal', 'your personal copy (~/.agents/skills/a)'],
  ['shared', 'your personal copy (~/.agents/skills/a)'],
  ['project', 'another copy in the project (~/.agents/skills/a)'],
  ['plugin', 'a plugin’s copy (~/.agents/skills/a)'],
  ['enterprise', 'your organisation’s copy (~/.agents/skills/a)'],
  ['bundled', 'the copy that comes with Satchel'],
] as const)('a copy of the scope %s is called as a person knows it', (scope, words) => {
  expect(chat.copyOf[scope]('~/.agents/skills/a')).toBe(words)
})
