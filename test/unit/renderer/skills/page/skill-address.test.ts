import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addressNow,
  addressOf,
  findSkill,
  followSkill,
  formatSkillAddress,
  PAGE_TABS,
  parseSkillAddress,
} from '../../../../../src/renderer/skills/page/skill-address'

const skill = (name: string, scope: 'personal' | 'project', location: string) => ({
  key: `${scope}:${location}`,
  name,
  scope,
  location,
})

describe('the address of a page', () => {
  test('reads like the ones of the design', () => {
    expect(
      formatSkillAddress({ scope: 'personal', name: 'pdf', tab: 'files', file: 'a/b.md', line: 17 }),
    ).toBe('skill/personal/pdf/files?file=a%2Fb.md&line=17')
    expect(formatSkillAddress({ scope: 'project', name: 'pdf', tab: 'overview' })).toBe('skill/project/pdf')
  })

  test('comes back whole from its text, whatever names are in it', () => {
    const text = fc.string({ minLength: 1, unit: 'binary' })
    fc.assert(
      fc.property(
        fc.record(
          {
            scope: fc.constantFrom('enterprise', 'personal', 'shared'),
            name: text,
            tab: fc.constantFrom(...PAGE_TABS),
            copy: text,
            file: text,
            line: fc.integer({ min: 1, max: 1e9 }),
            anchor: text,
          },
          { requiredKeys: ['scope', 'name', 'tab'] },
        ),
        (address) => {
          expect(parseSkillAddress(formatSkillAddress(address as never))).toEqual(address)
        },
      ),
    )
  })

  test.each([
    '',
    'chat/1',
    'skill',
    'skill/nowhere/pdf',
    'skill/personal/',
    'skill/personal/%E0%A4%A',
    'skill/personal/a/b/c',
  ])('%j is none', (text) => {
    expect(parseSkillAddress(text)).toBeNull()
  })

  test('an unknown part or line of one leads to the first part', () => {
    expect(parseSkillAddress('skill/personal/pdf/nothing?line=-3')).toEqual({
      scope: 'personal',
      name: 'pdf',
      tab: 'overview',
    })
  })

  test('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseSkillAddress(text)))
    fc.assert(fc.property(fc.string(), (text) => void parseSkillAddress(`skill/personal/${text}`)))
  })
})

describe('which copy an address means', () => {
  const one = skill('pdf', 'personal', '~/.satchel/skills/pdf')
  const other = skill('pdf', 'personal', '~/.satchel/skills/deep/pdf')
  const project = skill('pdf', 'project', 'northwind/.satchel/skills/pdf')

  test('names its place only where the scope has two of the name', () => {
    expect(addressOf(one, [one, project], 'usage')).not.toHaveProperty('copy')
    expect(addressOf(one, [one, other], 'usage')).toHaveProperty('copy', one.location)
  })

  test('finds each of two again', () => {
    for (const wanted of [one, other, project]) {
      const list = [one, other, project]
      expect(findSkill(list, addressOf(wanted, list, 'files'))).toBe(wanted)
    }
  })

  test('is none when the skill is gone', () => {
    expect(findSkill([project], { scope: 'personal', name: 'pdf', tab: 'files' })).toBeUndefined()
  })

  test('stays the copy that it names, by whatever name, and is none when that is gone', () => {
    const list = [one, other]
    const address = addressOf(other, list, 'edit')
    const renamed = { ...other, name: 'pdf-two' }
    expect(findSkill([one, renamed], address)).toBe(renamed)
    expect(findSkill([one], address)).toBeUndefined()
    expect(addressNow(renamed, [one, renamed], address)).toEqual(addressOf(renamed, [one, renamed], 'edit'))
  })
})

describe('the copy whose page is open', () => {
  const one = skill('pdf', 'personal', '~/.satchel/skills/pdf')
  const shown = { key: one.key, name: one.name }
  const address = { ...addressOf(one, [one], 'edit'), file: 'a.md' }

  test('stays open under a name that it got, with the file that is in front', () => {
    const renamed = { ...one, name: 'pdf-two' }
    const taken = skill('pdf', 'personal', '~/.satchel/skills/a/pdf')
    for (const list of [[renamed], [taken, renamed]]) {
      expect(followSkill(list, address, shown)).toBe(renamed)
      expect(addressNow(renamed, list, address)).toEqual({ ...address, name: 'pdf-two' })
    }
  })

  test('stays open where another one takes its name, and its address says which from then on', () => {
    const taker = skill('pdf', 'personal', '~/.satchel/skills/a/pdf')
    expect(followSkill([taker, one], address, shown)).toBe(one)
    expect(addressNow(one, [taker, one], address)).toEqual({ ...address, copy: one.location })
    expect(addressNow(one, [one], address)).toBeNull()
  })

  test('is left for the one that another address names', () => {
    const other = skill('pdf', 'personal', '~/.satchel/skills/deep/pdf')
    const list = [one, other]
    expect(followSkill(list, addressOf(other, list, 'edit'), shown)).toBe(other)
    expect(followSkill([other], address, shown)).toBe(other)
  })
})
