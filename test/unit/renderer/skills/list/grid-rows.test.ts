import { expect, test } from 'vitest'
import { nestRows } from '../../../../../src/renderer/skills/list/grid-rows'
import { makeSkill } from '../skills'

const outer = makeSkill('outer')
const inner = makeSkill('inner', { parent: outer.key })
const deep = makeSkill('deep', { parent: inner.key })
const other = makeSkill('other')
const all = [deep, inner, other, outer]

const shown = (skills: typeof all, closed: string[] = []) =>
  nestRows(skills, new Set(closed)).map(({ skill, level }) => `${level} ${skill.name}`)

test('skills inside another one stand below it, each level one deeper', () => {
  expect(shown(all)).toEqual(['1 other', '1 outer', '2 inner', '3 deep'])
})

test('what is below a closed one is left out, and the closed one says that there is something', () => {
  expect(shown(all, [outer.key])).toEqual(['1 other', '1 outer'])
  expect(nestRows(all, new Set([outer.key])).at(-1)).toMatchObject({ children: 1, open: false })
})

test('one whose parent is not among the rows stands by itself', () => {
  expect(shown([deep, other])).toEqual(['1 deep', '1 other'])
})

test('rows without anything inside have nothing to fold', () => {
  expect(nestRows([other], new Set())).toEqual([{ skill: other, level: 1, children: 0, open: false }])
})
