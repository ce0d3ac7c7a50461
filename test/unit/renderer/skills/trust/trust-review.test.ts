import { describe, expect, it, test } from 'vitest'
import type { TrustReview } from '@shared/domain/skill'
import {
  agentBecomesWords,
  findingWords,
  replacesWords,
  reviewWords,
} from '../../../../../src/renderer/skills/trust/trust-review'

const skill = (part: Partial<TrustReview['skills'][number]> = {}): TrustReview['skills'][number] => ({
  key: 'k',
  name: 'a',
  description: '',
  location: 'work/.satchel/skills/a',
  scripts: [],
  problems: 0,
  becomes: 'effective',
  ...part,
})

describe('reviewWords', () => {
  it.each([
    [[skill()], '1 skill, 0 scripts.'],
    [[skill({ scripts: ['a.sh'] }), skill({ scripts: ['b.sh', 'c.sh'] })], '2 skills, 3 scripts.'],
    [[skill({ replaces: { scope: 'personal', location: '~' } })], '1 skill, 0 scripts, 1 copy replaced.'],
  ])('counts what would change (%#)', (skills, words) => {
    expect(reviewWords(skills)).toBe(words)
  })
})

test.each([
  ['personal', 'Used instead of your personal copy (~/.satchel/skills/a).'],
  ['plugin', 'Used instead of a plugin’s copy (~/.satchel/skills/a).'],
  ['bundled', 'Used instead of the copy that comes with Satchel.'],
] as const)('a copy of the scope %s that would be replaced is told as a person knows it', (scope, words) => {
  expect(replacesWords({ scope, location: '~/.satchel/skills/a' })).toBe(words)
})

test.each([
  [{ becomes: 'effective' }, 'Could be chosen for chats in this folder.'],
  [
    { becomes: 'effective', replaces: { scope: 'bundled', location: 'general.md' } },
    'Used instead of the agent that comes with Satchel.',
  ],
  [{ becomes: 'shadowed' }, 'Would not be used: another file of this name ranks higher.'],
] as const)('an agent of the folder is told with what becomes of it (%#)', (agent, words) => {
  expect(agentBecomesWords(agent)).toBe(words)
})

describe('findingWords', () => {
  const script = (level: 'serious' | 'notable' | 'information') => ({
    key: 'k',
    path: 'a.sh',
    findings: [{ level, title: 'Deletes files' }],
  })

  it('counts what is serious and what is notable', () => {
    expect(
      findingWords({ findings: [script('serious'), script('notable'), script('notable')], unchecked: 0 }),
    ).toBe(
      '1 serious finding and 2 notable findings in the scripts. Checked by fixed rules: a clean result doesn’t mean safe.',
    )
  })

  it('says what was not looked at, and promises nothing', () => {
    expect(findingWords({ findings: [script('information')], unchecked: 2 })).toBe(
      'No serious findings in the scripts. 2 scripts were not looked at. Checked by fixed rules: a clean result doesn’t mean safe.',
    )
  })
})
