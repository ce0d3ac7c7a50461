import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuzzyMatch, fuzzyWord } from '../../../../src/renderer/palette/fuzzy'

const score = (name: string, typed: string) => fuzzyWord(name, typed)?.score ?? -1

describe('a typed word in a name', () => {
  it('fits best at the start, then at the start of a word, inside, and scattered', () => {
    const ranked = ['pdf-tools', 'my-pdf', 'mypdfs', 'p-d-f'].map((name) => score(name, 'pdf'))
    expect(ranked).toEqual(ranked.toSorted((a, b) => b - a))
    expect(new Set(ranked).size).toBe(4)
  })

  it('says which letters were found, at the start of a word before its middle', () => {
    expect(fuzzyWord('repdf-pdf', 'pdf')?.at).toEqual([6, 7, 8])
    expect(fuzzyWord('code-review', 'crv')?.at).toEqual([0, 5, 7])
  })

  it('is not found where a letter is missing, or they lie far apart', () => {
    expect(fuzzyWord('pdf', 'pdx')).toBeNull()
    expect(fuzzyWord('a-very-long-name-with-z', 'az')).toBeNull()
    expect(fuzzyWord('pdf', 'x')).toBeNull()
  })

  it('finds every part of a name, with its letters in their places', () => {
    const name = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom('a', 'B', '-', '3') })
    fc.assert(
      fc.property(name, fc.nat(19), fc.integer({ min: 1, max: 20 }), (text, from, length) => {
        const part = text.slice(from % text.length, (from % text.length) + length)
        const match = fuzzyWord(text, part)
        expect(match?.at.map((place) => text[place]?.toLowerCase()).join('')).toBe(part.toLowerCase())
      }),
    )
  })
})

it('needs every word, in the name or beside it', () => {
  expect(fuzzyMatch('pdf-processing', 'Project, 3,180 tokens', ['pdf', 'project'])?.at).toEqual([0, 1, 2])
  expect(fuzzyMatch('pdf-processing', 'Project', ['pdf', 'personal'])).toBeNull()
})
