import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import type { SkillHit, SkillSummary } from '@shared/domain/skill'
import {
  chipCounts,
  listSkills,
  matchSkills,
  nextSorting,
  NO_FILTER,
} from '../../../../../src/renderer/skills/list/skill-filter'
import type { FilterWith, SkillFilter } from '../../../../../src/renderer/skills/list/skill-filter'
import { makeSkill } from '../skills'

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

function hitsOf(...found: (SkillSummary | undefined)[]): ReadonlyMap<string, SkillHit> {
  return new Map(found.map((skill) => [skill!.key, { key: skill!.key, where: 'body', snippet: '' }]))
}

function names(filter: Partial<SkillFilter>, more?: FilterWith): string[] {
  return rows(skills, { ...NO_FILTER, ...filter }, more).map((skill) => `${skill.scope}/${skill.name}`)
}

function rows(all: readonly SkillSummary[], filter: SkillFilter, more?: FilterWith): SkillSummary[] {
  return listSkills(matchSkills(all, filter, more), filter, more)
}

describe('the rows', () => {
  it('lists in the order in which copies are chosen', () => {
    expect(names({})).toEqual(['personal/pdf', 'personal/bad', 'project/pdf', 'project/csv', 'shared/art'])
  })

  it('lists the project first where the person wants it so', () => {
    expect(names({}, { projectFirst: true })).toEqual([
      'project/pdf',
      'project/csv',
      'shared/art',
      'personal/pdf',
      'personal/bad',
    ])
  })

  it.each<[string, Partial<SkillFilter>, string[]]>([
    ['effective', { chips: new Set(['effective']) }, ['personal/pdf', 'project/csv']],
    ['problems', { chips: new Set(['problems']) }, ['personal/bad', 'project/csv']],
    [
      'effective or problems',
      { chips: new Set(['effective', 'problems']) },
      ['personal/pdf', 'personal/bad', 'project/csv'],
    ],
    ['what is off', { chips: new Set(['off']) }, []],
    ['warnings of used skills', { place: { kind: 'problems' } }, ['project/csv']],
    ['what lacks a word', { query: '-pdf from:project' }, ['project/csv']],
    ['a phrase', { query: '"reads tables"' }, ['project/csv']],
    ['no phrase in another order', { query: '"tables reads"' }, []],
    ['a negated operator', { query: '-from:personal -from:shared pdf' }, ['project/pdf']],
    ['words without accents', { query: 'réads' }, ['project/csv']],
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

  it('shows a skill that main found, unless an operator excludes it', () => {
    const hits = hitsOf(skills[2])
    expect(names({ query: 'deskew' }, { hits })).toEqual(['project/csv'])
    expect(names({ query: 'deskew from:personal' }, { hits })).toEqual([])
  })

  it('lists what main found best first, then what only the row says', () => {
    const hits = hitsOf(skills[4], skills[1])
    expect(names({ query: 'pdf' }, { hits })).toEqual(['shared/art', 'project/pdf', 'personal/pdf'])
  })

  it('keeps a chosen order while words are typed', () => {
    const hits = hitsOf(skills[4], skills[1])
    expect(names({ query: 'pdf', sort: 'order' }, { hits })).toEqual([
      'personal/pdf',
      'project/pdf',
      'shared/art',
    ])
  })

  it('leaves it to main what an excluded word leaves out, once it has answered', () => {
    expect(names({ query: 'pdf -secret' })).toEqual(['personal/pdf', 'project/pdf'])
    expect(names({ query: 'pdf -secret' }, { hits: hitsOf(skills[1]) })).toEqual(['project/pdf'])
  })

  it('shows what the catalogue has no place for, by the answer of the catalogue', () => {
    const outside = ({ name }: SkillSummary): boolean => name === 'csv'
    expect(names({ query: 'status:not-in-catalogue' }, { outside })).toEqual(['project/csv'])
    expect(names({ query: '-status:not-in-catalogue from:project' }, { outside })).toEqual(['project/pdf'])
    expect(names({ query: 'status:not-in-catalogue' })).toEqual([])
  })

  it('never shows a skill twice, and none that is not there, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string(), fc.subarray(skills), (query, found) => {
        const shown = rows(skills, { ...NO_FILTER, query }, { hits: hitsOf(...found) })
        expect(new Set(shown).size).toBe(shown.length)
        expect(shown.every((skill) => skills.includes(skill))).toBe(true)
      }),
    )
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
  const counted = (filter: Partial<SkillFilter>, all: readonly SkillSummary[] = skills) =>
    chipCounts(matchSkills(all, { ...NO_FILTER, ...filter }))

  it('counts within the chosen place', () => {
    expect(counted({ place: { kind: 'scope', scope: 'project' } })).toEqual({
      all: 2,
      effective: 1,
      problems: 1,
      scripts: 0,
      off: 0,
      enterprise: 0,
    })
  })

  it('follows the search, and says of each chip what it would show', () => {
    expect(counted({ query: 'pdf' })).toMatchObject({ all: 2, effective: 1, problems: 0, scripts: 1 })
    expect(counted({ query: 'pdf', chips: new Set(['effective']) }).all).toBe(2)
  })

  it('counts what a policy turned off as off, and the chip shows it', () => {
    const byPolicy = [makeSkill('curl', { status: 'unavailable', byPolicy: true })]
    expect(counted({}, byPolicy).off).toBe(1)
    expect(rows(byPolicy, { ...NO_FILTER, chips: new Set(['off']) })).toEqual(byPolicy)
  })
})

describe('what was used', () => {
  const [pdf, , csv] = skills
  const use = new Map(
    [
      { key: csv!.key, loads: 1, runs: [0, 2] },
      { key: pdf!.key, loads: 3, runs: [1, 0] },
    ].map((one) => [one.key, one]),
  )

  it('sorts by runs of the last 30 days, and the other way round', () => {
    expect(names({ sort: 'runs' }, { use }).slice(0, 2)).toEqual(['project/csv', 'personal/pdf'])
    expect(names({ sort: 'runs', reversed: true }, { use }).slice(-2)).toEqual([
      'personal/pdf',
      'project/csv',
    ])
  })

  it('leaves out what was ever loaded, and shows nothing while that is not known', () => {
    expect(names({ neverUsed: true }, { use })).toEqual(['personal/bad', 'project/pdf', 'shared/art'])
    expect(names({ neverUsed: true })).toEqual([])
  })

  it('keeps what an agent always uses', () => {
    expect(names({ usedBy: { agent: 'clerk', skills: ['csv', 'gone'] } })).toEqual(['project/csv'])
  })
})

describe('the order', () => {
  it('by status begins with what needs a person', () => {
    expect(names({ sort: 'status' })[0]).toBe('personal/bad')
    expect(names({ sort: 'status', reversed: true }).at(-1)).toBe('personal/bad')
  })

  it('goes from a column to its other way and back to the resolution order', () => {
    const first = nextSorting({ sort: 'best', reversed: false }, 'tokens')
    const second = nextSorting(first, 'tokens')
    expect([first, second, nextSorting(second, 'tokens')]).toEqual([
      { sort: 'tokens', reversed: false },
      { sort: 'tokens', reversed: true },
      { sort: 'best', reversed: false },
    ])
  })
})
