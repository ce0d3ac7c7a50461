import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hitPlace, snippetPieces } from '../../../../src/renderer/skills/snippet'

const mark = (text: string) => `\uE000${text}\uE001`

describe('snippetPieces', () => {
  it.each([
    ['nothing', [['nothing', false]]],
    [
      `to ${mark('deskew')} it`,
      [
        ['to ', false],
        ['deskew', true],
        [' it', false],
      ],
    ],
    [
      mark('a') + mark('b'),
      [
        ['a', true],
        ['b', true],
      ],
    ],
    ['\uE000open', [['open', false]]],
    ['close\uE001', [['close', false]]],
    ['', []],
  ])('splits %j', (snippet, pieces) => {
    expect(snippetPieces(snippet).map(({ text, found }) => [text, found])).toEqual(pieces)
  })

  it('loses nothing but the marks', () => {
    const text = fc.array(fc.constantFrom('a', ' ', '\uE000', '\uE001', 'ü')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (snippet) => {
        const shown = snippetPieces(snippet).map((piece) => piece.text)
        expect(shown.join('')).toBe(snippet.replace(/[\uE000\uE001]/gu, ''))
      }),
    )
  })
})

describe('hitPlace', () => {
  it.each([
    [{ where: 'body' }, 'in SKILL.md: '],
    [{ where: 'file', file: 'references/ocr.md' }, 'in references/ocr.md: '],
    [{ where: 'tags' }, 'tags: '],
    [{ where: 'description' }, ''],
  ] as const)('says of %j %j', (hit, words) => {
    expect(hitPlace(hit)).toBe(words)
  })
})
