import { describe, expect, it } from 'vitest'
import { lineDiff } from '@shared/line-diff'
import { codeLines } from '../../../../src/renderer/ui/code-lines'
import { diffRows } from '../../../../src/renderer/ui/diff-rows'
import type { FlagLevel } from '../../../../src/renderer/ui/line-list'

function rows(before: string, after: string, flags = new Map<number, FlagLevel>(), open = new Set<string>()) {
  return diffRows({
    diff: lineDiff(before, after),
    before: codeLines(before, 'a.txt'),
    after: codeLines(after, 'a.txt'),
    flags,
    open,
  }).map(
    (row) =>
      `${row.kind} ${row.number} ${row.tokens.map((t) => t.text).join('')}${row.flag ? ` !${row.flag}` : ''}`,
  )
}

const numbers = Array.from({ length: 20 }, (_, i) => `l${i + 1}\n`)
const before = numbers.join('')
const after = numbers.with(9, 'new\n').join('')

describe('diffRows', () => {
  it('folds what did not change, and keeps three lines around a change', () => {
    expect(rows(before, after)).toEqual([
      'fold 0 6 unchanged lines',
      'same 7 l7',
      'same 8 l8',
      'same 9 l9',
      'del 10 l10',
      'add 10 new',
      'same 11 l11',
      'same 12 l12',
      'same 13 l13',
      'fold 0 7 unchanged lines',
    ])
  })

  it('unfolds what was asked for', () => {
    expect(rows(before, after, new Map(), new Set(['fold-0']))[0]).toBe('same 1 l1')
  })

  it('never folds a flagged line', () => {
    expect(rows(before, after, new Map([[2, 'serious']]))).toContain('same 2 l2 !serious')
  })

  it('flags lines of the text after the change only', () => {
    const shown = rows(before, after, new Map([[10, 'notable']]))
    expect(shown).toContain('add 10 new !notable')
    expect(shown).toContain('del 10 l10')
  })

  it('does not fold a single line', () => {
    expect(rows('a\nb\nc\nd\ne\n', 'a\nb\nc\nd\nX\n')[0]).toBe('same 1 a')
  })
})
