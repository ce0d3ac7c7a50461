import { describe, expect, it } from 'vitest'
import type { SkillRoot } from '@shared/domain/skill'
import { dropTarget, dropWords } from '../../../../../src/renderer/skills/list/drop-target'
import type { Place } from '../../../../../src/renderer/skills/tree/places'

const root = (location: string, tool?: string): SkillRoot => ({
  scope: 'shared',
  location,
  ...(tool === undefined ? {} : { tool }),
  readOnly: tool !== undefined,
  state: 'found',
  skills: 1,
})

const AROUND = {
  roots: [root('~/.agents/skills'), root('.agents/skills'), root('~/.claude/skills', 'Claude Code')],
  project: 'northwind',
  organisation: 'Northwind IT',
}
const one = { skills: [{ key: 'k', name: 'sql' }] }
const two = { skills: [...one.skills, { key: 'l', name: 'csv' }] }

const told = (place: Place, dragged = one, isCopy = false, around = AROUND): string | null => {
  const target = dropTarget(place, around)
  return target && dropWords(target, dragged, isCopy)
}

describe('a place of the tree that skills are dragged onto', () => {
  it.each<[string, Place, string | null]>([
    ['Personal', { kind: 'scope', scope: 'personal' }, 'Move to Personal: ~/.satchel/skills/sql'],
    ['Project', { kind: 'scope', scope: 'project' }, 'Move to Project: northwind/.satchel/skills/sql'],
    [
      'the shared folder of the person',
      { kind: 'root', location: '~/.agents/skills' },
      'Move to Personal, shared with other tools: ~/.agents/skills/sql',
    ],
    [
      'the shared folder of the project',
      { kind: 'root', location: '.agents/skills' },
      'Move to Project, shared with other tools: northwind/.agents/skills/sql',
    ],
    ['a filter', { kind: 'status', status: 'broken' }, null],
    ['all skills', { kind: 'all' }, null],
  ])('%s says before the drop what it would do', (_name, place, expected) => {
    expect(told(place)).toBe(expected)
  })

  it.each<[string, Place, RegExp]>([
    ['the organisation', { kind: 'scope', scope: 'enterprise' }, /^Managed by Northwind IT/],
    ['a plugin', { kind: 'scope', scope: 'plugin' }, /plugin/],
    ['Satchel', { kind: 'scope', scope: 'bundled' }, /Satchel/],
    ['another tool', { kind: 'root', location: '~/.claude/skills' }, /Claude Code/],
  ])('of %s refuses with the reason', (_whose, place, reason) => {
    expect(dropTarget(place, AROUND)).toHaveProperty('refusal')
    expect(told(place)).toMatch(reason)
  })

  it('of a project refuses where none is open', () => {
    expect(
      told({ kind: 'scope', scope: 'project' }, one, false, { ...AROUND, project: null as never }),
    ).toMatch(/No project/)
  })

  it('counts several, and says that a copy stays where it was', () => {
    expect(told({ kind: 'scope', scope: 'personal' }, two, true)).toBe(
      'Copy to Personal: ~/.satchel/skills, 2 skills',
    )
  })
})
