import { describe, expect, test } from 'vitest'
import type { ToolSpec } from '../../../../../src/main/llm/types'
import { styleOf } from '../../../../../src/main/sessions/styles/all'
import { finderOf, skillIds } from '../../../../../src/main/sessions/styles/ids'
import { offeredTools, renameTools } from '../../../../../src/main/sessions/styles/offer'
import { DisclosureStyle } from '@shared/domain/settings'

const spec = (name: string): ToolSpec => ({ name, description: name, parameters: {} })
const SKILLS = ['list', 'load', 'unload', 'read', 'run_script', 'propose_update'].map((name) =>
  spec(`skills_${name}`),
)
const WORKSPACE = ['Read', 'Write', 'Bash'].map(spec)
const ALL = [...SKILLS, ...WORKSPACE]
const offered = (id: DisclosureStyle, core = ALL, more: { omitted?: number; hasSkills?: boolean } = {}) =>
  offeredTools({
    style: styleOf(id),
    core,
    list: '',
    omitted: more.omitted ?? 0,
    hasSkills: more.hasSkills ?? true,
  }).map(({ name }) => name)

describe('offeredTools', () => {
  test.each([
    ['runtime', ALL.map(({ name }) => name)],
    ['compact', ALL.map(({ name }) => name)],
    [
      'get-skill',
      [
        'get_skill',
        'sandbox_execute',
        'skills_unload',
        'skills_run_script',
        'skills_propose_update',
        'Read',
        'Write',
      ],
    ],
    [
      'read-skill',
      [
        'list_skills',
        'read_skill',
        'read_skill_resource',
        'propose_skill_update',
        'skills_unload',
        'skills_run_script',
        'Read',
        'Write',
        'Bash',
      ],
    ],
    [
      'agent-skill-read',
      [
        'agent_skill_read',
        'agent_skill_read_file',
        'skills_unload',
        'skills_run_script',
        'skills_propose_update',
        'Read',
        'Write',
        'Bash',
      ],
    ],
    [
      'skill-tool',
      ['Skill', 'skills_unload', 'skills_run_script', 'skills_propose_update', 'Read', 'Write', 'Bash'],
    ],
  ] as const)('%s offers %j', (id, names) => {
    expect(offered(id)).toEqual(names)
  })

  test.each(DisclosureStyle.options)(
    'without skills %s offers none but what a document has a text for',
    (id) => {
      const own =
        id === 'get-skill' ? ['get_skill', 'sandbox_execute', 'Read', 'Write'] : ['Read', 'Write', 'Bash']
      expect(offered(id, ALL, { hasSkills: false })).toEqual(own)
    },
  )

  test('without skills and without a shell there is only get_skill, which says so', () => {
    expect(offered('get-skill', SKILLS, { hasSkills: false })).toEqual(['get_skill'])
  })

  test.each(['get-skill', 'agent-skill-read', 'skill-tool'] as const)(
    '%s offers skills_list when its list leaves skills out',
    (id) => {
      expect(offered(id, ALL, { omitted: 3 })).toContain('skills_list')
    },
  )

  test.each([
    ['get-skill', 'skills_read'],
    ['skill-tool', 'skills_read'],
  ] as const)('%s keeps %s where nothing else can read a file', (id, name) => {
    expect(offered(id, SKILLS)).toContain(name)
  })
})

test('a tool is not offered where nothing can do its work', () => {
  const core = SKILLS.filter(({ name }) => name !== 'skills_propose_update')
  expect(offered('read-skill', core)).not.toContain('propose_skill_update')
  expect(offered('get-skill', core)).toContain('sandbox_execute')
})

describe('renameTools', () => {
  const text = 'Call skills_load, then skills_read, or skills_list.'
  test.each([
    ['runtime', text],
    ['get-skill', 'Call get_skill, then sandbox_execute, or skills_list.'],
    ['read-skill', 'Call read_skill, then read_skill_resource, or list_skills.'],
    ['agent-skill-read', 'Call agent_skill_read, then agent_skill_read_file, or skills_list.'],
    ['skill-tool', 'Call Skill, then Read, or skills_list.'],
  ] as const)('an error says in %s which tool to call next', (id, expected) => {
    expect(renameTools(styleOf(id), ALL, text)).toBe(expected)
  })

  test('a tool that is still there keeps its name', () => {
    expect(renameTools(styleOf('skill-tool'), SKILLS, text)).toContain('skills_read')
  })
})

describe('skillIds', () => {
  test.each([
    [[['a', 'a']], ['a']],
    [[['reviews', 'Code Review']], ['Code Review']],
    [
      [
        ['a', 'same'],
        ['b', 'Same'],
      ],
      ['a', 'b'],
    ],
    [
      [
        ['a', 'b'],
        ['b', 'c'],
      ],
      ['a', 'c'],
    ],
  ])('of names and folders %j the ids are %j, and each means its skill', (pairs, ids) => {
    const skills = pairs.map(([name = '', folder = '']) => ({ name, folder }))
    expect(skillIds(skills)).toEqual(ids)
    expect(ids.map((id) => finderOf(skills).nameOf(id.toUpperCase()))).toEqual(skills.map(({ name }) => name))
  })

  test('anything else is taken as it is', () => {
    expect(finderOf([{ name: 'a', folder: 'b' }]).nameOf('a@project')).toBe('a@project')
  })
})
