import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asSeen, createCollector } from '../../../../src/main/runs/text'

describe('text as a person would see it', () => {
  test.each([
    ['colours', '\x1b[31mred\x1b[0m plain', 'red plain'],
    ['a progress bar', '10%\r50%\r100%\n', '100%\n'],
    ['an overwritten line', 'rm -rf /\r\x1b[2Ksafe', 'safe'],
    ['the end of a longer line', 'long text\rab\x1b[K', 'ab'],
    ['what a shorter text leaves', 'long\rab', 'abng'],
    ['backspaces', 'abc\b\bX', 'aXc'],
    ['a window title', '\x1b]0;sudo\x07text', 'text'],
    ['a link', '\x1b]8;;file:///etc/passwd\x1b\\here\x1b]8;;\x1b\\', 'here'],
    ['an unfinished sequence', 'a\x1b]52;c;AAAA', 'a'],
    ['device strings', 'a\x1bP1$r0m\x1b\\b\x1b_app\x1b\\c', 'abc'],
    ['one-byte sequences', 'a\x9b31mb\x9d0;t\x9cc', 'abc'],
    ['columns', 'abc\x1b[1GX\x1b[1CY', 'XbY'],
    ['bells and NUL', 'a\x07\0b', 'ab'],
    ['tabs and lines', 'a\tb\nc', 'a\tb\nc'],
    ['Windows line ends', 'a\r\nb', 'a\nb'],
    ['wide characters', 'é😀\ré', 'é😀'],
    ['hidden text', '\x1b[8msecret\x1b[0m', '⟦hidden: secret⟧'],
  ])('%s', (_what, raw, seen) => {
    expect(asSeen(raw)).toBe(seen)
  })

  test('no control character but tab and line end is left, whatever is printed', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('\x1b', '[', ']', '2', ';', 'K', 'G', '\r', '\b', '\n', 'a', '\x9b', '\x07'),
        ),
        (parts) => {
          // oxlint-disable-next-line no-control-regex -- what must not be left
          expect(asSeen(parts.join(''))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
        },
      ),
    )
  })

  test('cursor jumps cost neither memory nor time', () => {
    const text = asSeen(`${'\x1b[9999C'.repeat(20_000)}x${'\x1b[1K'.repeat(20_000)}`)
    expect(text.length).toBeLessThan(5000)
  })
})

describe('what a model gets', () => {
  const excerptOf = (text: string, size = 1000) => {
    const collector = createCollector()
    for (let at = 0; at < text.length; at += size) collector.push(text.slice(at, at + size))
    return collector.excerpt()
  }

  test('short output is given whole', () => {
    expect(excerptOf('a\nb')).toEqual({ text: 'a\nb', truncated: false })
  })

  test('long output is given head and tail with the number of bytes between them', () => {
    const text = `HEAD${'x'.repeat(300_000)}TAIL`
    const excerpt = excerptOf(text)
    const omitted = Number(/\[… (\d+) bytes omitted …\]/.exec(excerpt.text)?.[1])
    const kept = excerpt.text.replace(/\n\[… \d+ bytes omitted …\]\n/, '')
    expect(excerpt.truncated).toBe(true)
    expect(kept.startsWith('HEAD') && kept.endsWith('TAIL')).toBe(true)
    expect(kept.length + omitted).toBe(text.length)
    expect(kept.length).toBeLessThanOrEqual(50_000)
  })

  test('huge output stays bounded and counts exactly', () => {
    const text = 'é'.repeat(2_000_000)
    const excerpt = excerptOf(text, 60_000)
    const omitted = Number(/\[… (\d+) bytes/.exec(excerpt.text)?.[1])
    const kept = Buffer.byteLength(excerpt.text.replace(/\n\[… \d+ bytes omitted …\]\n/, ''))
    expect(kept + omitted).toBe(4_000_000)
    expect(kept).toBeLessThanOrEqual(50_000)
  })

  test('at most 2,000 lines are given', () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `line ${index}`)
    const kept = excerptOf(lines.join('\n')).text.split('\n')
    expect(kept.filter((line) => line.startsWith('line '))).toHaveLength(2000)
    expect([kept[0], kept.at(-1)]).toEqual(['line 0', 'line 2999'])
  })

  test('a character is never cut in two', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), (shift) => {
        expect(excerptOf('a'.repeat(shift) + '😀'.repeat(40_000), 7).text).not.toMatch(/\p{Surrogate}/u)
      }),
      { numRuns: 6 },
    )
  })
})
