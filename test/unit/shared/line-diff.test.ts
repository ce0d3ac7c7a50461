import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffCounts, lineDiff } from '@shared/line-diff'

describe('lineDiff', () => {
  it('numbers both sides', () => {
    expect(lineDiff('a\nb\nc\n', 'a\nx\nc\nd\n')).toEqual([
      { kind: 'same', before: 1, after: 1, text: 'a' },
      { kind: 'del', before: 2, text: 'b' },
      { kind: 'add', after: 2, text: 'x' },
      { kind: 'same', before: 3, after: 3, text: 'c' },
      { kind: 'add', after: 4, text: 'd' },
    ])
  })

  it('counts what was added and removed', () => {
    expect(diffCounts(lineDiff('a\nb\n', 'b\nc\nd\n'))).toEqual({ added: 2, removed: 1 })
  })

  it('shows a last newline that went missing', () => {
    const lines = lineDiff('a\nb\n', 'a\nb')
    expect(lines.map((line) => `${line.kind} ${line.text}`)).toEqual([
      'same a',
      'del b',
      'add b (no newline at the end)',
    ])
  })

  it('takes no text for a newline that went missing', () => {
    expect(diffCounts(lineDiff('b (no newline at the end)\n', 'b'))).toEqual({ added: 1, removed: 1 })
  })

  it('shows a change of line ends', () => {
    expect(diffCounts(lineDiff('a\n', 'a\r\n'))).toEqual({ added: 1, removed: 1 })
  })

  it('treats an empty text as no lines', () => {
    expect(lineDiff('', 'a\n')).toEqual([{ kind: 'add', after: 1, text: 'a' }])
  })

  it('rebuilds both texts exactly', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 20 })
      .map((l) => l.map((x) => `${x}\n`).join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(before, after)
        const side = (skip: string): string =>
          lines
            .filter((l) => l.kind !== skip)
            .map((l) => `${l.text}\n`)
            .join('')
        expect(side('add')).toBe(before)
        expect(side('del')).toBe(after)
      }),
    )
  })

  it('gives up searching but stays exact when thousands of lines differ', () => {
    const before = Array.from({ length: 20_000 }, (_, i) => `before ${i}\n`).join('')
    const after = Array.from({ length: 20_000 }, (_, i) => `after ${i}\n`).join('')
    expect(diffCounts(lineDiff(before, after))).toEqual({ added: 20_000, removed: 20_000 })
  })
})
