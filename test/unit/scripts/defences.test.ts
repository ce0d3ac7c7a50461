import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import corpus from '../../../resources/attack-corpus.json' with { type: 'json' }
import { readDefences, readTestDefences } from '../../../scripts/lib/defences.mjs'
import { root } from '../../../scripts/lib/project.mjs'
import { defenceOf } from '../../corpus/defence-of'
import defended from '../../corpus/defended.json'
import { CORE_CASES } from '../../helpers/corpus'

const { defences, groups } = readDefences()
const used = new Set(groups.flat())

test.each(defences.map((defence) => [defence.id, defence] as const))(
  'what takes "%s" away stands once in its file, and attacks name it',
  (id, { changes }) => {
    for (const { file, find, replace } of changes) {
      expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2)
      expect(replace).not.toBe(find)
    }
    expect(used).toContain(id)
  },
)

test('every case names its defences, or why it is not tried without one', () => {
  const known = new Set(defences.map(({ id }) => id))
  for (const one of CORE_CASES) {
    const named = defenceOf(one)
    if ('notTried' in named) expect(named.notTried.length).toBeGreaterThan(20)
    else expect(named.filter((id) => !known.has(id))).toEqual([])
  }
})

test('every name of a case or of a group of cases is one', () => {
  const titles = CORE_CASES.flatMap(({ id, title }) => [
    id,
    `${id} ${title}`,
    `${id} ${title.split(' ', 1)[0]}`,
  ])
  expect(Object.keys(defended).filter((name) => !titles.includes(name))).toEqual([])
})

const { off, notTried } = readTestDefences()
/** Their defences stand in `defended.json`. */
const CORE = ['test/corpus/core-paths.ts', 'test/corpus/core-sandbox.ts']

test('every proof that is no case of the core names what it is played without, or why it is not', () => {
  const nameOf = (id: string, file: string, name = '') => `${id} ${file} ${name}`
  const tried = [...off, ...notTried].flatMap(({ proofs }) =>
    proofs.flatMap(({ file, test: name, ids: own }) => own.map((id) => nameOf(id, file, name))),
  )
  const all = corpus.flatMap(({ id, proofs }) =>
    proofs.filter(({ file }) => !CORE.includes(file)).map(({ file, test: name }) => nameOf(id, file, name)),
  )
  expect([...new Set(tried)].toSorted()).toEqual([...new Set(all)].toSorted())
  for (const { why } of notTried) expect(why.length).toBeGreaterThan(20)
})

test.each(off.map((defence) => [defence.id, defence] as const))(
  'what takes "%s" away stands once in its file',
  (_id, { changes }) => {
    expect(changes.length).toBeGreaterThan(0)
    for (const { file, find, replace } of changes) {
      expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2)
      expect(replace).not.toBe(find)
    }
  },
)
