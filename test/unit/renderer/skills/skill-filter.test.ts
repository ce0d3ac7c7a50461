import { describe, expect, it } from 'vitest'
import type { SkillList, SkillSummary } from '@shared/domain/skill'
import { chipCounts, filterSkills, NO_FILTER, skillTree } from '../../../../src/renderer/skills/skill-filter'
import type { SkillFilter } from '../../../../src/renderer/skills/skill-filter'
import { makeSkill } from './skills'

const skills: SkillSummary[] = [
  makeSkill('pdf', {
    scope: 'personal',
    scripts: 2,
    tokens: { catalogue: 40, body: 3000, files: 0 },
    changedAt: 3,
  }),
  makeSkill('pdf', { scope: 'project', status: 'shadowed', shadowedBy: 'personal', changedAt: 9 }),
  makeSkill('csv', { scope: 'project', problems: 1, description: 'Reads tables' }),
  makeSkill('bad', { scope: 'personal', status: 'broken', problems: 2 }),
  makeSkill('art', { scope: 'shared', status: 'not-trusted', location: '.claude/skills/art' }),
]

function names(filter: Partial<SkillFilter>, hits?: Set<string>): string[] {
  return filterSkills(skills, { ...NO_FILTER, ...filter }, hits).map(
    (skill) => `${skill.scope}/${skill.name}`,
  )
}

describe('filterSkills', () => {
  it('keeps the resolution order that main gave', () => {
    expect(names({})).toEqual(['personal/pdf', 'project/pdf', 'project/csv', 'personal/bad', 'shared/art'])
  })

  it.each<[string, Partial<SkillFilter>, string[]]>([
    ['effective', { chips: new Set(['effective']) }, ['personal/pdf', 'project/csv']],
    ['problems', { chips: new Set(['problems']) }, ['project/csv', 'personal/bad']],
    [
      'effective or problems',
      { chips: new Set(['effective', 'problems']) },
      ['personal/pdf', 'project/csv', 'personal/bad'],
    ],
    ['effective with scripts', { chips: new Set(['effective', 'scripts']) }, ['personal/pdf']],
    ['one scope', { place: { kind: 'scope', scope: 'project' } }, ['project/pdf', 'project/csv']],
    ['one status', { place: { kind: 'status', status: 'broken' } }, ['personal/bad']],
    ['one shared folder', { place: { kind: 'root', location: '.claude/skills' } }, ['shared/art']],
    ['words in the name', { query: 'PDF' }, ['personal/pdf', 'project/pdf']],
    ['words in the description', { query: 'tables' }, ['project/csv']],
    ['every word', { query: 'pdf tables' }, []],
    ['an operator for the scope', { query: 'from:project' }, ['project/pdf', 'project/csv']],
    ['an operator for the status', { query: 'status:shadowed' }, ['project/pdf']],
    ['an operator for scripts', { query: 'has:scripts' }, ['personal/pdf']],
    ['an operator for tokens', { query: 'tokens:>2000 pdf' }, ['personal/pdf']],
    ['an operator for few tokens', { query: 'tokens:<2000 from:personal' }, ['personal/bad']],
    ['an unknown operator as a word', { query: 'has:wings' }, []],
  ])('shows %s', (_name, filter, expected) => {
    expect(names(filter)).toEqual(expected)
  })

  it('shows a skill whose body holds the words, unless an operator excludes it', () => {
    const hits = new Set([skills[2]?.key ?? ''])
    expect(names({ query: 'deskew' }, hits)).toEqual(['project/csv'])
    expect(names({ query: 'deskew from:personal' }, hits)).toEqual([])
  })

  it.each<[SkillFilter['sort'], string]>([
    ['name', 'shared/art'],
    ['tokens', 'personal/pdf'],
    ['changed', 'project/pdf'],
    ['files', 'personal/pdf'],
  ])('sorts by %s', (sort, first) => {
    expect(names({ sort })[0]).toBe(first)
  })
})

describe('chipCounts', () => {
  it('counts within the chosen place', () => {
    expect(chipCounts(skills, { kind: 'scope', scope: 'project' })).toEqual({
      all: 2,
      effective: 1,
      problems: 1,
      scripts: 0,
    })
  })
})

describe('skillTree', () => {
  const list: SkillList = {
    skills,
    roots: [
      { scope: 'personal', location: '~/.satchel/skills', state: 'found', skills: 2 },
      { scope: 'project', location: '.satchel/skills', state: 'missing', skills: 0 },
      { scope: 'shared', location: '.claude/skills', state: 'not-trusted', skills: 1 },
    ],
    scanMs: 1,
    catalogueTokens: 0,
  }

  it('lists scopes in resolution order with counts and the state of their folders', () => {
    expect(skillTree(list).scopes.map(({ scope, count, note }) => [scope, count, note])).toEqual([
      ['personal', 2, ''],
      ['project', 2, 'missing'],
    ])
  })

  it('lists folders of other tools, and what needs attention', () => {
    expect(skillTree(list).shared).toMatchObject([{ label: '.claude/skills', count: 1, note: 'not trusted' }])
    expect(skillTree(list).attention.map(({ status, count }) => [status, count])).toEqual([
      ['broken', 1],
      ['shadowed', 1],
      ['not-trusted', 1],
    ])
  })
})
