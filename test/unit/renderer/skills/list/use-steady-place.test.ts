import { describe, expect, it } from 'vitest'
import type { GridRow } from '../../../../../src/renderer/skills/list/grid-rows'
import { movedBy } from '../../../../../src/renderer/skills/list/use-steady-place'
import { makeSkill } from '../skills'

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name): GridRow => ({
  skill: makeSkill(name),
  level: 1,
  children: 0,
  open: false,
})) as [GridRow, GridRow, GridRow, GridRow]

describe('movedBy', () => {
  it.each<[string, GridRow[], GridRow[], [index: number, moved: number]]>([
    ['stays where nothing came above it', [a, b, c], [a, b, d, c], [1, 0]],
    ['follows its row down', [a, b, c], [d, a, b, c], [1, 1]],
    ['follows its row up', [a, b, c], [b, c], [2, -1]],
    ['stays where its row is gone', [a, b, c], [a, c], [1, 0]],
    ['stays at the top, so that what is new there is seen', [a, b], [d, a, b], [0, 0]],
  ])('%s', (_name, before, now, [index, moved]) => {
    expect(movedBy(before, now, index)).toBe(moved)
  })
})
