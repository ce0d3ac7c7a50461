import { describe, expect, it } from 'vitest'
import type { SkillCatalogue } from '@shared/domain/skill'
import { outsideOf, outsideReason, ruleWords } from '../../../../src/renderer/skills/use-catalogue'
import { makeSkill } from './skills'

const cut: SkillCatalogue = {
  agent: 'General',
  entries: 2,
  omitted: 3,
  tokens: 100,
  descriptions: 'full',
  shown: [
    { name: 'pdf', why: 'always-on' },
    { name: 'csv', why: 'relevant' },
  ],
  leftBy: 'over-count',
  unseen: ['secret'],
}

describe('outsideReason', () => {
  const outside = outsideOf(cut)

  it('names what was left out, and what the agent does not see', () => {
    expect(outsideReason(makeSkill('pdf'), outside)).toBe('')
    expect(outsideReason(makeSkill('art'), outside)).toContain('holds 2 of 5 skills')
    expect(outsideReason(makeSkill('secret'), outside)).toBe('The agent General does not see this skill.')
  })

  it('says nothing of copies that no agent is told of, nor while nothing is known', () => {
    expect(outsideReason(makeSkill('art', { status: 'shadowed' }), outside)).toBe('')
    expect(outsideReason(makeSkill('art', { hiddenFromModel: true }), outside)).toBe('')
    expect(outsideReason(makeSkill('art'), outsideOf(null))).toBe('')
  })

  it('marks nothing where everything is in', () => {
    const whole = outsideOf({ ...cut, omitted: 0, leftBy: null, unseen: [] })
    expect(outsideReason(makeSkill('art'), whole)).toBe('')
  })
})

describe('ruleWords', () => {
  it('counts what spoke for the entries, in the order of the rule', () => {
    expect(ruleWords(cut)).toBe(
      'Chosen: 1 always on, 1 nearest to your last messages. The others are Not in catalogue: load one by its name.',
    )
  })

  it('says what was shortened, and that the names alone were too much', () => {
    expect(ruleWords({ ...cut, descriptions: 'none', leftBy: 'over-budget' })).toContain(
      'Only names are sent.',
    )
    expect(ruleWords({ ...cut, leftBy: 'over-budget' })).toContain('names alone')
  })

  it('explains a style that lists none', () => {
    expect(ruleWords({ ...cut, shown: [], leftBy: 'style' })).toContain('skills_list')
  })
})
