import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineDiff } from '@shared/line-diff'
import { sideRows } from '../../../../../src/renderer/skills/copies/side-rows'

const rows = (before: string, after: string) => sideRows(lineDiff(before, after))
const short = (before: string, after: string) =>
  rows(before, after).map((row) =>
    row.kind === 'gap' ? `… ${row.count}` : `${row.left?.text ?? ''}|${row.right?.text ?? ''}`,
  )

describe('a difference in two columns', () => {
  it('puts what came beside what went', () => {
    expect(short('a\nb\nc\n', 'a\nB\nc\n')).toEqual(['a|a', 'b|B', 'c|c'])
  })

  it('leaves a side empty where there is nothing in its place', () => {
    expect(short('a\nc\n', 'a\nb\nc\n')).toEqual(['a|a', '|b', 'c|c'])
  })

  it('counts unchanged lines far from a change', () => {
    const lines = Array.from({ length: 9 }, (_one, at) => `${at}\n`).join('')
    expect(short(lines, `${lines}x\n`)).toEqual(['… 6', '6|6', '7|7', '8|8', '|x'])
  })

  it('has every changed line of both texts once, with its number', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 })
      .map((all) => `${all.join('\n')}\n`)
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = lineDiff(before, after)
        const found = sideRows(diff).flatMap((row) => (row.kind === 'line' ? [row.left, row.right] : []))
        const changed = found.filter((line) => line?.changed)
        expect(changed).toHaveLength(diff.filter(({ kind }) => kind !== 'same').length)
      }),
    )
  })
})
