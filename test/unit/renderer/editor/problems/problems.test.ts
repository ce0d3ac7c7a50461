import { Text } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '@shared/domain/skill'
import { nextProblem, problemsOf, rangeOf } from '../../../../../src/renderer/editor/problems/problems'

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

  test('are walked through in the order of their places, going round, both ways', () => {
    const starts = [90, 20, 50]
    const from = (caret: number, now: number, step: 1 | -1) => nextProblem(starts, { caret, now }, step)
    expect([from(10, 0, 1), from(20, 1, 1), from(50, 2, 1), from(90, 0, 1)]).toEqual([1, 2, 0, 1])
    expect([from(90, 0, -1), from(20, 1, -1)]).toEqual([2, 0])
    expect(nextProblem([], { caret: 0, now: 0 }, 1)).toBe(-1)
  })

  test('at one place are all reached', () => {
    const starts = [5, 5, 30, 5]
    const walk = (step: 1 | -1) =>
      [0, 0, 0, 0].reduce<number[]>((seen) => {
        const now = seen.at(-1) ?? 2
        return [...seen, nextProblem(starts, { caret: starts[now]!, now }, step)]
      }, [])
    expect(walk(1)).toEqual([0, 1, 3, 2])
    expect(walk(-1)).toEqual([3, 1, 0, 2])
  })
})
