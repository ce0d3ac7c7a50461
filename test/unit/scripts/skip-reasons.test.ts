import { expect, test } from 'vitest'
import type { TestCase } from 'vitest/node'
import SkipReasons from '../../../scripts/lib/skip-reasons.mjs'

function noted(result: ReturnType<TestCase['result']>) {
  const meta = {}
  new SkipReasons().onTestCaseResult({ result: () => result, meta: () => meta })
  return meta
}

test('the reason of a skipped test goes where the JSON report has it', () => {
  expect(noted({ state: 'skipped', note: 'no bubblewrap', errors: undefined })).toEqual({
    note: 'no bubblewrap',
  })
})

test('a missing reason stays visible as missing', () => {
  expect(noted({ state: 'skipped', note: undefined, errors: undefined })).toEqual({ note: '' })
})

test('tests that ran are left alone', () => {
  expect(noted({ state: 'passed', errors: undefined })).toEqual({})
})
