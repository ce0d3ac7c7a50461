import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutText, wellFormed, wellFormedJson } from '../../../../src/main/lib/well-formed'

describe('wellFormed', () => {
  test.each([
    ['plain', 'plain'],
    ['a😀b', 'a😀b'],
    ['a\ud83d', 'a\ufffd'],
    ['\ude00b', '\ufffdb'],
    ['\ude00\ud83d', '\ufffd\ufffd'],
  ])('%j becomes %j', (text, expected) => {
    expect(wellFormed(text)).toBe(expected)
  })
})

describe('wellFormedJson', () => {
  test('mends every text in it, however deep', () => {
    expect(wellFormedJson({ a: ['x\ud83d', { b: 'ok 😀' }], n: 1, nothing: null })).toEqual({
      a: ['x\ufffd', { b: 'ok 😀' }],
      n: 1,
      nothing: null,
    })
  })

  test('gives a value without such a text back as it is', () => {
    const value = { text: 'a backslash \\ud83d is no half' }
    expect(wellFormedJson(value)).toEqual(value)
  })
})

describe('cutText', () => {
  test('keeps whole characters and never more than asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 20 }), (text, max) => {
        const cut = cutText(text, max)
        expect(text.startsWith(cut)).toBe(true)
        expect(cut.length).toBeLessThanOrEqual(max)
        expect(wellFormed(cut)).toBe(wellFormed(text).slice(0, cut.length))
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, max) - 1)
      }),
    )
  })

  test('does not cut a pair in two', () => {
    expect(cutText('ab😀', 3)).toBe('ab')
  })
})
