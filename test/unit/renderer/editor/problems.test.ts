import { Text } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '@shared/domain/skill'
import { nextProblem, problemsOf, rangeOf } from '../../../../src/renderer/editor/problems'

const at = (line?: number, file?: string): Diagnostic => ({
  code: 'x',
  severity: 'warning',
  message: 'm',
  ...(line === undefined ? {} : { line }),
  ...(file === undefined ? {} : { file }),
})

describe('problems of a text', () => {
  test('are those of its file; without one they are about SKILL.md', () => {
    const all = [at(1), at(2, 'a.md')]
    expect(problemsOf('SKILL.md', all)).toEqual([all[0]])
    expect(problemsOf('a.md', all)).toEqual([all[1]])
  })

  test('stand at their line, and a line that is not there any more is the last one', () => {
    const doc = Text.of(['one', 'two'])
    expect(rangeOf(doc, at(2))).toEqual({ from: 4, to: 7 })
    expect(rangeOf(doc, at(99))).toEqual({ from: 4, to: 7 })
    expect(rangeOf(doc, at())).toEqual({ from: 0, to: 3 })
    expect(rangeOf(doc, { ...at(2), column: 3 })).toEqual({ from: 6, to: 7 })
    expect(rangeOf(doc, { ...at(2), column: 50 })).toEqual({ from: 7, to: 7 })
  })

  test('are walked through in the order of their lines, going round, both ways', () => {
    const all = [at(9), at(2), at(5)]
    expect([1, 2, 5, 9].map((line) => nextProblem(all, line, 1))).toEqual([1, 2, 0, 1])
    expect([9, 2].map((line) => nextProblem(all, line, -1))).toEqual([2, 0])
    expect(nextProblem([], 1, 1)).toBe(-1)
  })
})
