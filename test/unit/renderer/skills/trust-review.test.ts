import { describe, expect, it, test } from 'vitest'
import type { TrustReview } from '@shared/domain/skill'
import { replacesWords, reviewWords } from '../../../../src/renderer/skills/trust-review'

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
