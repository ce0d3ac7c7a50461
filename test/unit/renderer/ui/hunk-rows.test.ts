import { describe, expect, it } from 'vitest'
import { hunkRows } from '../../../../src/renderer/ui/hunk-rows'

describe('hunkRows', () => {
  it('says how many unchanged lines stand before and between the changes', () => {
    const rows = hunkRows([
      { kind: 'same', before: 3, after: 3, text: 'c' },
      { kind: 'del', before: 4, text: 'd' },
      { kind: 'add', after: 4, text: 'D' },
      { kind: 'add', after: 5, text: 'E' },
      { kind: 'same', before: 8, after: 9, text: 'h' },
    ])
    expect(rows.map(({ kind, number, tokens }) => [kind, number, tokens[0]?.text])).toEqual([
      ['gap', 0, '2 unchanged lines'],
      ['same', 3, 'c'],
      ['del', 4, 'd'],
      ['add', 4, 'D'],
      ['add', 5, 'E'],
      ['gap', 0, '3 unchanged lines'],
      ['same', 9, 'h'],
    ])
  })

  it('shows a new file without a gap, and an empty line as one', () => {
    const rows = hunkRows([
      { kind: 'add', after: 1, text: '' },
      { kind: 'add', after: 2, text: 'x' },
    ])
    expect(rows.map(({ kind, tokens }) => [kind, tokens.length])).toEqual([
      ['add', 0],
      ['add', 1],
    ])
  })
})
