import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SkillChanges, SkillTotals } from '@shared/domain/skill'
import { compareRows, emptyRows, takePart } from '../../../../src/renderer/stores/skill-rows'
import { makeSkill } from '../skills/skills'

const totals: SkillTotals = { roots: [], scanMs: 1, catalogueTokens: 0, catalogue: { wanted: 0, held: 0 } }
const part = (rows: SkillChanges['rows'], removed: string[] = [], last = true): SkillChanges => ({
  rows,
  removed,
  ...(last ? { totals } : {}),
})

describe('takePart', () => {
  test('gives no list before the part that completes it', () => {
    const rows = emptyRows()
    expect(takePart(rows, part([makeSkill('a')], [], false))).toBeNull()
    expect(takePart(rows, part([makeSkill('b')]))?.skills.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test('lists by name without case, the used copy first', () => {
    const list = takePart(
      emptyRows(),
      part([
        makeSkill('b'),
        makeSkill('a', { scope: 'enterprise', status: 'broken' }),
        makeSkill('A', { scope: 'bundled' }),
      ]),
    )
    expect(list?.skills.map(({ name, scope }) => `${scope} ${name}`)).toEqual([
      'bundled A',
      'enterprise a',
      'personal b',
    ])
  })

  test('replaces a row of the same key, also under another name, and takes one out', () => {
    const rows = emptyRows()
    const [a, b, c] = [makeSkill('a'), makeSkill('b'), makeSkill('c')]
    takePart(rows, part([a, b, c]))
    const list = takePart(rows, part([{ ...a, name: 'd' }], [b.key]))
    expect(list?.skills.map(({ name }) => name)).toEqual(['c', 'd'])
  })

  test('leaves the array the same when only the totals changed, and the rows that did not', () => {
    const rows = emptyRows()
    const [a, b] = [makeSkill('a'), makeSkill('b')]
    const first = takePart(rows, part([a, b]))
    expect(takePart(rows, part([]))?.skills).toBe(first?.skills)
    const next = takePart(rows, part([{ ...b, description: 'new' }]))
    expect(next?.skills[0]).toBe(a)
    expect(first?.skills[1]).toBe(b)
  })

  test('comes to the same list whatever the way to it', () => {
    const pool = ['a', 'b', 'c', 'd'].flatMap((name) => [
      makeSkill(name),
      makeSkill(name, { scope: 'project', status: 'shadowed' }),
    ])
    const change = fc.record({ rows: fc.subarray(pool), removed: fc.subarray(pool) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1 }), (changes) => {
        const rows = emptyRows()
        const known = new Map<string, (typeof pool)[number]>()
        for (const { rows: put, removed } of changes) {
          const gone = removed.filter((row) => !put.includes(row))
          for (const row of gone) known.delete(row.key)
          for (const row of put) known.set(row.key, row)
          const list = takePart(
            rows,
            part(
              put,
              gone.map(({ key }) => key),
            ),
          )
          expect(list?.skills).toEqual([...known.values()].sort(compareRows))
        }
      }),
    )
  })
})
