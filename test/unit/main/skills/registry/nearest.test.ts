import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearestNames } from '../../../../../src/main/skills/registry/nearest'
import { quickFold, quickSlug } from '../../../../../src/main/skills/registry/quick-names'
import { foldName, slugOf } from '@shared/skill-md/skill-name'

/** The textbook rule, without anything that makes it fast. */
function plainDistance(a: string, b: string): number {
  if (a !== '' && b !== '' && (a.includes(b) || b.includes(a))) return 1
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : i)),
  )
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      table[i]![j] = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, table[i - 1]![j - 1]! + change)
    }
  }
  return table[a.length]![b.length]!
}

it('the nearest names are those that the plain rule gives', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-', 'é'), maxLength: 12 })
  fc.assert(
    fc.property(word, fc.uniqueArray(word, { maxLength: 12 }), (asked, names) => {
      const most = Math.max(2, Math.floor(asked.length / 3))
      const plain = names
        .map((name) => ({ name, far: plainDistance(asked, name) }))
        .filter(({ far }) => far <= most)
        .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
        .slice(0, 3)
        .map(({ name }) => name)
      expect(nearestNames(asked, names)).toEqual(plain)
    }),
    { numRuns: 500 },
  )
})

it('names that are in the form already are told by a look at their letters', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'Z', '9', '-', ' ', 'é', 'ﬁ'), maxLength: 80 }),
    fc.string(),
  )
  fc.assert(
    fc.property(text, (name) => {
      expect(quickFold(name)).toBe(foldName(name))
      expect(quickSlug(name)).toBe(slugOf(name))
    }),
    { numRuns: 1000 },
  )
})
