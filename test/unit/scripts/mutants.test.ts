import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMutants } from '../../../scripts/lib/mutants.mjs'
import { root } from '../../../scripts/lib/project.mjs'

const mutants = readMutants()
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('at least 40 behaviours have a planted change, each with an id of its own', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
  expect(mutants.length).toBeGreaterThanOrEqual(40)
})

test.each(mutants.map((mutant) => [mutant.id, mutant] as const))(
  'what %s changes stands once in its file, and it changes something',
  (_id, { file, find, replace }) => {
    expect(read(file).split(find)).toHaveLength(2)
    expect(replace).not.toBe(find)
  },
)
