import { expect, test } from 'vitest'
import { corpusResult, toldByPlaywright, toldByVitest } from '../../../scripts/lib/corpus-result.mjs'

const ids = (test: string, told: { title: string; ok: boolean }[]) =>
  corpusResult([{ id: 'A1', proofs: [{ file: 'a.test.ts', test }] }], {
    told: told.map(({ title, ok }) => ({ file: 'a.test.ts', titles: ['group', title], ok })),
    core: null,
    window: null,
  })

test('an id holds when all tests of its proof passed, and has failed when one did not', () => {
  expect(ids('$id $text is asked', [{ title: 'A1 x (y) is asked', ok: true }])).toEqual({ A1: 'held' })
  const told = [
    { title: 'A1 x is asked', ok: true },
    { title: 'A1 y is asked', ok: false },
  ]
  expect(ids('$id $text is asked', told)).toEqual({ A1: 'failed' })
})

test('tests of another id, and of another name, prove nothing', () => {
  const told = [
    { title: 'A10 x is asked', ok: true },
    { title: 'A1 x is asked twice', ok: true },
  ]
  expect(ids('$id $text is asked', told)).toEqual({})
})

test('a group of tests proves as its members do', () => {
  expect(ids('group', [{ title: 'one', ok: false }])).toEqual({ A1: 'failed' })
})

test('the cases of core and window hold by their own reports', () => {
  const corpus = [
    { id: 'A30', proofs: [{ file: 'test/corpus/core-paths.ts' }] },
    { id: 'A3', proofs: [{ file: 'test/corpus/core-paths.ts' }] },
    { id: 'A31', proofs: [{ file: 'test/corpus/core-paths.ts' }] },
    { id: 'X1', proofs: [{ file: 'test/corpus/window-cases.ts' }] },
  ]
  const core = { ids: ['A30', 'A3'], faults: ['A30 a script: it ran'] }
  expect(corpusResult(corpus, { told: [], core, window: true })).toEqual({
    A30: 'failed',
    A3: 'held',
    X1: 'held',
  })
  expect(corpusResult(corpus, { told: [], core: null, window: null })).toEqual({})
})

test('an id that is proved in two ways holds only where both were played', () => {
  const proofs = [{ file: 'test/corpus/core-paths.ts' }, { file: 'a.test.ts', test: 'x' }]
  const core = { ids: ['A43'], faults: [] }
  expect(corpusResult([{ id: 'A43', proofs }], { told: [], core, window: null })).toEqual({})
})

test('a test that was skipped is not told of', () => {
  const one = (status: string) => ({ ancestorTitles: ['g'], title: status, status })
  const report = {
    testResults: [{ name: '/p/a.test.ts', assertionResults: ['passed', 'failed', 'skipped'].map(one) }],
  }
  expect(toldByVitest(report, '/p')).toEqual([
    { file: 'a.test.ts', titles: ['g', 'passed'], ok: true },
    { file: 'a.test.ts', titles: ['g', 'failed'], ok: false },
  ])
  const spec = (status: string) => ({ title: status, ok: status === 'expected', tests: [{ status }] })
  const suites = [{ title: 'a.spec.ts', file: 'a.spec.ts', specs: ['expected', 'skipped'].map(spec) }]
  expect(toldByPlaywright({ suites }, 'test/e2e')).toEqual([
    { file: 'test/e2e/a.spec.ts', titles: ['expected'], ok: true },
  ])
})
