import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import corpus from '../../../resources/attack-corpus.json' with { type: 'json' }
import { root } from '../../../scripts/lib/project.mjs'
import { COMMAND_CASES } from '../../corpus/command-cases'
import { HIDDEN_CASES, PRINTED_CASES, TYPED_CASES } from '../../corpus/text-cases'
import { PATH_CASES } from '../../corpus/core-paths'
import { SANDBOX_CASES } from '../../corpus/core-sandbox'
import { WINDOW_CASES } from '../../corpus/window-cases'

/** What a file plays by id. */
const CASES: Readonly<Record<string, readonly { id: string }[]>> = {
  'test/corpus/core-paths.ts': PATH_CASES,
  'test/corpus/core-sandbox.ts': SANDBOX_CASES,
  'test/corpus/window-cases.ts': WINDOW_CASES,
  'test/unit/corpus/commands.test.ts': COMMAND_CASES,
  'test/unit/corpus/texts.test.ts': [...PRINTED_CASES, ...TYPED_CASES, ...HIDDEN_CASES],
}
const upTo = (letter: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `${letter}${from + n}`)
const ids = corpus.map(({ id }) => id)

test('every id of the attack corpus is listed, once', () => {
  const wanted = [
    ...upTo('A', 1, 76),
    ...upTo('A', 80, 94),
    ...upTo('T', 1, 10),
    ...upTo('U', 1, 7),
    ...upTo('X', 1, 20),
  ]
  expect(wanted).toHaveLength(128)
  expect(ids.toSorted()).toEqual(wanted.toSorted())
})

test('an id without a proof says why, and one with a proof has a layer', () => {
  for (const { id, layer, proofs, gap } of corpus) {
    expect(layer === 'none', id).toBe(proofs.length === 0)
    expect(['core', 'unit', 'window', 'none'], id).toContain(layer)
    if (layer === 'none') expect(gap?.length ?? 0, id).toBeGreaterThan(20)
  }
})

test.each(corpus.flatMap(({ id, proofs }) => proofs.map((proof) => ({ id, ...proof }))))(
  '$id is proved by $file $test',
  ({ id, file, test: name }) => {
    expect(existsSync(join(root, file))).toBe(true)
    const played = CASES[file]
    if (played) expect(played.map((one) => one.id)).toContain(id)
    else expect(name).toBeDefined()
    if (name) expect(readFileSync(join(root, file), 'utf8')).toContain(name)
  },
)

test('no case is played under an id that is not listed', () => {
  const played = Object.values(CASES).flat()
  expect(played.filter(({ id }) => !ids.includes(id))).toEqual([])
  for (const { id } of played) {
    const files = corpus.find((one) => one.id === id)?.proofs.map(({ file }) => file) ?? []
    expect(
      files.some((file) => CASES[file]?.some((one) => one.id === id)),
      id,
    ).toBe(true)
  }
})
