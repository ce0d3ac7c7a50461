import { describe, expect, it } from 'vitest'
import type { SkillList, SkillRoot } from '@shared/domain/skill'
import { inPlace, rootSentence, scopeRank, skillTree } from '../../../../../src/renderer/skills/tree/places'
import { makeSkill } from '../skills'

const root = (part: Partial<SkillRoot>): SkillRoot => ({
  scope: 'personal',
  location: '~/.satchel/skills',
  readOnly: false,
  state: 'found',
  skills: 0,
  ...part,
})

const list: SkillList = {
  skills: [
    makeSkill('pdf'),
    makeSkill('bad', { status: 'broken', problems: 2 }),
    makeSkill('csv', { scope: 'project', problems: 1 }),
    makeSkill('pdf', { scope: 'project', status: 'shadowed' }),
    makeSkill('rules', { scope: 'enterprise' }),
    makeSkill('art', { scope: 'shared', status: 'not-trusted', location: 'work/.claude/skills/art' }),
  ],
  roots: [
    root({ skills: 2 }),
    root({ scope: 'enterprise', location: '/etc/satchel/skills', skills: 1 }),
    root({ scope: 'project', location: 'work/.satchel/skills', skills: 2 }),
    root({ scope: 'plugin', location: '~/plugins/a', state: 'missing' }),
    root({ scope: 'shared', location: '~/.agents/skills', state: 'missing' }),
    root({
      scope: 'shared',
      location: 'work/.claude/skills',
      tool: 'Claude Code',
      readOnly: true,
      state: 'not-trusted',
      skills: 1,
    }),
  ],
  scanMs: 1,
  catalogueTokens: 0,
  catalogue: { wanted: 2, held: 2 },
}

describe('skillTree', () => {
  it('lists scopes in the order in which copies are chosen; one without skills says so instead of a zero', () => {
    expect(skillTree(list).scopes.map(({ scope, count, note }) => [scope, count, note])).toEqual([
      ['enterprise', 1, ''],
      ['personal', 2, ''],
      ['project', 2, ''],
      ['plugin', null, 'none yet'],
    ])
  })

  it('puts Project before Personal where the person wants it so', () => {
    expect(
      skillTree(list, true)
        .scopes.map(({ scope }) => scope)
        .slice(0, 3),
    ).toEqual(['enterprise', 'project', 'personal'])
  })

  it('leaves out scopes that have neither skills nor a folder', () => {
    const scopes = skillTree({ ...list, roots: [root({})], skills: [makeSkill('a')] }).scopes
    expect(scopes.map(({ scope }) => scope)).toEqual(['personal'])
  })

  it('calls a shared folder by the name of its tool and marks it as read-only', () => {
    expect(skillTree(list).shared).toMatchObject([
      { label: '~/.agents/skills', location: '', count: null, note: 'none yet', readOnly: false },
      {
        label: 'Claude Code',
        location: 'work/.claude/skills',
        count: 1,
        note: 'not trusted',
        readOnly: true,
      },
    ])
  })

  it('says of the common folder that what lies there is one’s own', () => {
    expect(skillTree(list).shared[0]?.title).toMatch(/^Your own skills, .*Make it and put a skill in\.$/)
  })

  it('lists what needs a person, warnings of used skills among them', () => {
    expect(skillTree(list).attention.map(({ label, count }) => [label, count])).toEqual([
      ['Won’t load', 1],
      ['With warnings', 1],
      ['Shadowed', 1],
      ['Not trusted yet', 1],
    ])
  })
})

describe('scopeRank', () => {
  it.each([
    ['personal', '~/.satchel/skills/a', false, 2],
    ['shared', '~/.claude/skills/a', false, 3],
    ['project', 'work/.satchel/skills/a', false, 4],
    ['shared', 'work/.claude/skills/a', false, 5],
    ['project', 'work/.satchel/skills/a', true, 2],
    ['shared', 'work/.claude/skills/a', true, 3],
    ['bundled', 'Satchel/skills/a', true, 8],
  ] as const)('a copy of %s at %s (project first: %s) has the rank %i', (scope, location, flipped, rank) => {
    expect(scopeRank({ scope, location }, flipped)).toBe(rank)
  })
})

describe('inPlace', () => {
  it('knows a folder from another one whose name begins alike', () => {
    const place = { kind: 'root', location: '~/.claude/skills' } as const
    expect(inPlace(makeSkill('a', { scope: 'shared', location: '~/.claude/skills/a' }), place)).toBe(true)
    expect(inPlace(makeSkill('a', { scope: 'shared', location: '~/.claude/skills-old/a' }), place)).toBe(
      false,
    )
    expect(inPlace(makeSkill('a', { location: '~/.claude/skills/a' }), place)).toBe(false)
  })
})

describe('rootSentence', () => {
  it('says where, whose, that it is left alone, and that live updates are off', () => {
    const sentence = rootSentence(root({ tool: 'Cursor', readOnly: true, note: 'Live updates are off.' }))
    expect(sentence).toBe('~/.satchel/skills, of Cursor. Satchel writes nothing there. Live updates are off.')
  })
})
