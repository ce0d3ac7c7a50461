import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hitPlace, nearFirst, snippetPieces } from '../../../../../src/renderer/skills/list/snippet'

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

describe('nearFirst', () => {
  const short = (snippet: string) =>
    nearFirst(snippetPieces(snippet))
      .map(({ text }) => text)
      .join('')

  it.each([
    [`one two three four five six seven ${mark('word')} on`, '…four five six seven word on'],
    [`${'x'.repeat(40)}${mark('word')}`, `…${'x'.repeat(24)}word`],
    [`near ${mark('word')}`, 'near word'],
    ['a text without any mark stays as long as it is', 'a text without any mark stays as long as it is'],
    ['', ''],
  ])('of %j leaves %j', (snippet, shown) => {
    expect(short(snippet)).toBe(shown)
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
