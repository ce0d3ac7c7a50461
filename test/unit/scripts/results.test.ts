import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { closing, commandResult, playwrightResult, vitestResult } from '../../../scripts/lib/results.mjs'

type VitestTest = { status: string; fullName: string; meta?: { note?: string } }
const vitestFile = (status: string, ...assertionResults: VitestTest[]) => ({
  name: 'a.test.ts',
  status,
  assertionResults,
})
const vitestReport = (...testResults: ReturnType<typeof vitestFile>[]) => JSON.stringify({ testResults })
const passedTest = { status: 'passed', fullName: 'works' }
const failedTest = { status: 'failed', fullName: 'breaks' }

type Annotation = { type: string; description?: string }
const spec = (title: string, status: string, annotations: Annotation[] = []) => ({
  title,
  tests: [{ status, annotations }],
})
const playwrightReport = (specs: ReturnType<typeof spec>[], errors: { message: string }[] = []) =>
  JSON.stringify({ suites: [{ title: 'a.spec.ts', specs: [], suites: [{ title: 'group', specs }] }], errors })

test('vitest: passed and failed tests are counted', () => {
  const json = vitestReport(vitestFile('failed', passedTest, failedTest), vitestFile('passed', passedTest))
  expect(vitestResult(json, 1)).toEqual({ passed: 2, failed: 1, skipped: [], notes: [] })
})

test('vitest: a file that could not be loaded counts as one failure', () => {
  const result = vitestResult(vitestReport(vitestFile('failed'), vitestFile('passed', passedTest)), 1)
  expect(result).toMatchObject({ passed: 1, failed: 1, notes: ['a.test.ts: the file itself failed'] })
})

test('vitest: an error outside of tests counts as one failure', () => {
  expect(vitestResult(vitestReport(vitestFile('passed', passedTest)), 1)).toMatchObject({
    passed: 1,
    failed: 1,
  })
})

test('vitest: a skipped test with a reason is told and does not fail', () => {
  const skipped = { status: 'skipped', fullName: 'later', meta: { note: 'no bubblewrap' } }
  expect(vitestResult(vitestReport(vitestFile('passed', passedTest, skipped)), 0)).toEqual({
    passed: 1,
    failed: 0,
    skipped: [{ name: 'later', reason: 'no bubblewrap' }],
    notes: [],
  })
})

test.each(['skipped', 'pending', 'todo'])('vitest: a %s test without a reason fails', (status) => {
  const result = vitestResult(
    vitestReport(vitestFile('passed', passedTest, { status, fullName: 'later' })),
    0,
  )
  expect(result).toMatchObject({ passed: 1, failed: 1, notes: ['later: skipped without a reason'] })
})

test('Playwright: passed and failed tests are counted, in groups too', () => {
  const json = playwrightReport([spec('a', 'expected'), spec('b', 'unexpected'), spec('c', 'expected')])
  expect(playwrightResult(json, 1)).toEqual({ passed: 2, failed: 1, skipped: [], notes: [] })
})

test('Playwright: a flaky test is a failure', () => {
  expect(playwrightResult(playwrightReport([spec('a', 'flaky')]), 0)).toMatchObject({ passed: 0, failed: 1 })
})

test('Playwright: a skipped test is told with its reason', () => {
  const json = playwrightReport([
    spec('a', 'expected'),
    spec('b', 'skipped', [{ type: 'slow' }, { type: 'skip', description: 'no keyring' }]),
  ])
  expect(playwrightResult(json, 0)).toMatchObject({
    failed: 0,
    skipped: [{ name: 'a.spec.ts > group > b', reason: 'no keyring' }],
  })
})

test('Playwright: a test skipped without a reason fails', () => {
  const json = playwrightReport([spec('a', 'expected'), spec('b', 'skipped', [{ type: 'fixme' }])])
  expect(playwrightResult(json, 0)).toMatchObject({ passed: 1, failed: 1 })
})

test('Playwright: a test that did not get its turn fails', () => {
  const json = playwrightReport([spec('a', 'unexpected'), spec('b', 'skipped')])
  expect(playwrightResult(json, 1)).toMatchObject({
    passed: 0,
    failed: 2,
    notes: ['a.spec.ts > group > b: did not run'],
  })
})

test('Playwright: an error outside of tests counts as one failure', () => {
  const json = playwrightReport([spec('a', 'expected')], [{ message: 'Error: load\nat x' }])
  expect(playwrightResult(json, 1)).toMatchObject({ passed: 1, failed: 1, notes: ['Error: load'] })
})

test.each([
  ['vitest', vitestResult, vitestReport()],
  ['Playwright', playwrightResult, playwrightReport([])],
])('%s that ran no tests has failed', (_name, read, json) => {
  expect(read(json, 0)).toMatchObject({ passed: 0, failed: 1 })
})

test.each([
  ['wrote nothing', null],
  ['was cut off', '{"testResults": [{"na'],
  ['wrote something else', '{}'],
])('a runner that %s counts as one failure, whatever its exit code', (_name, json) => {
  expect(vitestResult(json, 0)).toMatchObject({ passed: 0, failed: 1 })
  expect(playwrightResult(json, 0)).toMatchObject({ passed: 0, failed: 1 })
})

test.each([
  [0, { passed: 1, failed: 0 }],
  [1, { passed: 0, failed: 1 }],
  [-1, { passed: 0, failed: 1 }],
])('a command that ended with %i counts as one', (code, expected) => {
  expect(commandResult(code)).toMatchObject(expected)
})

test('the closing line sums all steps', () => {
  const results = [commandResult(0), commandResult(1), { passed: 40, failed: 2 }]
  expect(closing(results)).toEqual({ line: '41 passed, 3 failed', ok: false })
})

test('a run without any result is not a success', () => {
  expect(closing([])).toEqual({ line: '0 passed, 0 failed', ok: false })
})

test('a run is a success exactly if something passed and nothing failed', () => {
  const result = fc.record({ passed: fc.nat(50), failed: fc.constantFrom(0, 0, 0, 1, 7) })
  fc.assert(
    fc.property(fc.array(result), (results) => {
      const hasFailure = results.some(({ failed }) => failed > 0)
      const hasPassed = results.some(({ passed }) => passed > 0)
      expect(closing(results).ok).toBe(hasPassed && !hasFailure)
    }),
  )
})
