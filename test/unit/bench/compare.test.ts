import { describe, expect, it } from 'vitest'
import { compareListings, describeComparison, isSame } from '../../../bench/lib/compare'

const listed = (folder: string, description = 'Does things.', name = folder) => ({
  folder,
  name,
  description,
})

describe('compareListings', () => {
  it('finds two equal listings the same, whatever their order', () => {
    const comparison = compareListings([listed('a'), listed('b')], [listed('b'), listed('a')])
    expect(comparison).toEqual({ same: 2, missing: [], different: [], extra: [] })
    expect(isSame(comparison)).toBe(true)
  })

  it('does not mind how white space in a description is folded', () => {
    expect(isSame(compareListings([listed('a', 'One two.')], [listed('a', ' One\n  two.\n')]))).toBe(true)
  })

  it.each([
    ['a skill that is not listed', [], 'missing'],
    ['another description', [listed('a', 'Does other things.')], 'different'],
    ['another name', [listed('a', 'Does things.', 'b')], 'different'],
  ] as const)('is not the same for %s', (_case, other, field) => {
    const comparison = compareListings([listed('a')], other)
    expect(comparison[field]).toHaveLength(1)
    expect(isSame(comparison)).toBe(false)
  })

  it('tells what only one side lists, without calling it a difference', () => {
    const comparison = compareListings([listed('a')], [listed('a'), listed('broken')])
    expect(comparison.extra).toEqual(['broken'])
    expect(isSame(comparison)).toBe(true)
  })
})

describe('describeComparison', () => {
  it('shows the first three of what differs', () => {
    const comparison = compareListings(
      ['a', 'b', 'c', 'd', 'e'].map((name) => listed(name)),
      [listed('e')],
    )
    expect(describeComparison(comparison)).toBe('1 the same, 4 not listed (a; b; c; …)')
  })

  it('says what is different about a skill', () => {
    const comparison = compareListings([listed('a')], [listed('a', 'Other.')])
    expect(describeComparison(comparison)).toBe(
      '0 the same, 1 different (a: description "Other." for "Does things.")',
    )
  })
})
