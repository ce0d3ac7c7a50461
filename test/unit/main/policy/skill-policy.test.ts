import { describe, expect, test } from 'vitest'
import type { Scope } from '../../../../src/shared/domain/skill'
import type { Policy } from '../../../../src/main/policy/policy-file'
import { whyNotTheseBytes, whyNotThisSkill } from '../../../../src/main/policy/skill-policy'

const policy = (skills: Policy['skills']): Policy => ({ version: 1, organisation: 'Northwind IT', skills })
const skill = (name: string, scope: Scope = 'personal') => ({ name, scope })
const A = 'a'.repeat(64)
const B = 'b'.repeat(64)

describe('a skill by its name and place', () => {
  test.each<[string, Policy['skills'], ReturnType<typeof skill>, string | null]>([
    ['no lists', {}, skill('pdf'), null],
    ['a blocked name', { block: ['pdf'] }, skill('PDF'), 'Blocked by Northwind IT.'],
    ['a blocked scope', { block: ['*@plugin'] }, skill('pdf', 'plugin'), 'Blocked by Northwind IT.'],
    ['a name blocked in another scope', { block: ['pdf@plugin'] }, skill('pdf'), null],
    ['block beats allow', { allow: ['pdf'], block: ['pdf'] }, skill('pdf'), 'Blocked by Northwind IT.'],
    ['on the list', { allow: ['pdf', '*@bundled'] }, skill('pdf'), null],
    ['by scope on the list', { allow: ['*@bundled'] }, skill('x', 'bundled'), null],
    ['not on the list', { allow: ['*@bundled'] }, skill('pdf'), 'Not on the list of Northwind IT.'],
    ['an empty list', { allow: [] }, skill('pdf', 'enterprise'), 'Not on the list of Northwind IT.'],
    ['maybe, by its bytes', { allow: [{ name: 'pdf', digest: A }] }, skill('pdf'), null],
    [
      'another name with bytes',
      { allow: [{ name: 'pdf', digest: A }] },
      skill('x'),
      'Not on the list of Northwind IT.',
    ],
    [
      'a scope that is off',
      { scopes_off: ['plugin'] },
      skill('x', 'plugin'),
      'Northwind IT turned off skills from there.',
    ],
    [
      'new ones wait',
      { new_need_approval: true },
      skill('x'),
      'New skills wait until Northwind IT allows them.',
    ],
    ['Enterprise ones do not', { new_need_approval: true }, skill('x', 'enterprise'), null],
    [
      'a name alone approves no bytes',
      { allow: ['x'], new_need_approval: true },
      skill('x'),
      'New skills wait until Northwind IT allows them.',
    ],
  ])('%s', (_what, skills, one, why) => {
    expect(whyNotThisSkill(policy(skills), one)).toBe(why)
  })

  test('without a policy nothing is kept back', () => {
    expect(whyNotThisSkill(null, skill('x'))).toBeNull()
    expect(whyNotTheseBytes(null, skill('x'), A)).toBeNull()
  })
})

describe('a skill by its bytes', () => {
  test.each<[string, Policy['skills'], string | null]>([
    ['blocked bytes', { block: [{ digest: `sha256:${A}` }] }, 'Blocked by Northwind IT.'],
    ['other bytes are blocked', { block: [{ digest: B }] }, null],
    ['listed bytes', { allow: [{ name: 'pdf', digest: A.toUpperCase() }] }, null],
    [
      'changed bytes',
      { allow: [{ name: 'pdf', digest: B }] },
      'These contents are not on the list of Northwind IT.',
    ],
    ['bytes of any name', { allow: [{ digest: A }] }, null],
    ['approved bytes', { allow: [{ digest: A }], new_need_approval: true }, null],
    [
      'changed since approved',
      { allow: ['pdf', { digest: B }], new_need_approval: true },
      'New or changed skills wait until Northwind IT allows them.',
    ],
  ])('%s', (_what, skills, why) => {
    expect(whyNotTheseBytes(policy(skills), skill('pdf'), A)).toBe(why)
  })
})
