// Reads what the test runners report and sums it. Pure.

/**
 * @typedef {{ name: string, reason: string }} Skip reason is '' if none was given
 * @typedef {{ passed: number, failed: number, skipped: Skip[], notes: string[] }} Result notes say what was
 *   counted as failed besides failed tests
 */

/**
 * One step that is no test runner: it counts as one.
 * @param {number} code
 * @returns {Result}
 */
export function commandResult(code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [], notes: [] }
}

/**
 * @param {string | null} json what vitest's JSON reporter wrote, null if it wrote nothing
 * @param {number} code the runner's exit code
 * @returns {Result}
 */
export function vitestResult(json, code) {
  const report = parse(json)
  if (!Array.isArray(report?.testResults)) return crashed('vitest', code)
  /** @type {Result} */
  const result = { passed: 0, failed: 0, skipped: [], notes: [] }
  for (const file of report.testResults) {
    for (const test of file.assertionResults) countVitestTest(result, test)
    const hasFailedTest = file.assertionResults.some((/** @type {any} */ test) => test.status === 'failed')
    if (file.status === 'failed' && !hasFailedTest) fail(result, `${file.name}: the file itself failed`)
  }
  return judged(result, 'vitest', code)
}

/**
 * @param {string | null} json what Playwright's JSON reporter wrote, null if it wrote nothing
 * @param {number} code the runner's exit code
 * @returns {Result}
 */
export function playwrightResult(json, code) {
  const report = parse(json)
  if (!Array.isArray(report?.suites)) return crashed('Playwright', code)
  /** @type {Result} */
  const result = { passed: 0, failed: 0, skipped: [], notes: [] }
  for (const suite of report.suites) countSuite(result, suite, '')
  for (const error of report.errors ?? []) fail(result, String(error.message).split('\n')[0] ?? '')
  return judged(result, 'Playwright', code)
}

/**
 * @param {readonly Pick<Result, 'passed' | 'failed'>[]} results
 * @returns {{ line: string, ok: boolean }} the last line of every run
 */
export function closing(results) {
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  return { line: `${passed} passed, ${failed} failed`, ok: failed === 0 && passed > 0 }
}

/** @param {string | null} json */
function parse(json) {
  try {
    return JSON.parse(json ?? '')
  } catch {
    return null // cut off or never written: the runner crashed
  }
}

/**
 * @param {Result} result
 * @param {any} test
 */
function countVitestTest(result, test) {
  if (test.status === 'passed') result.passed += 1
  else if (test.status === 'failed') result.failed += 1
  else skip(result, { name: test.fullName, reason: test.meta?.note ?? '' })
}

/**
 * @param {Result} result
 * @param {any} suite
 * @param {string} path
 */
function countSuite(result, suite, path) {
  const name = path ? `${path} > ${suite.title}` : suite.title
  for (const spec of suite.specs ?? []) {
    for (const test of spec.tests) countPlaywrightTest(result, test, `${name} > ${spec.title}`)
  }
  for (const inner of suite.suites ?? []) countSuite(result, inner, name)
}

/**
 * @param {Result} result
 * @param {any} test
 * @param {string} name
 */
function countPlaywrightTest(result, test, name) {
  if (test.status === 'expected') result.passed += 1
  else if (test.status !== 'skipped') result.failed += 1
  else {
    const note = test.annotations.find((/** @type {any} */ { type }) => type === 'skip' || type === 'fixme')
    if (note) skip(result, { name, reason: note.description ?? '' })
    else fail(result, `${name}: did not run`)
  }
}

/**
 * A test may be skipped only for a stated reason.
 * @param {Result} result
 * @param {Skip} skipped
 */
function skip(result, skipped) {
  result.skipped.push(skipped)
  if (!skipped.reason) fail(result, `${skipped.name}: skipped without a reason`)
}

/**
 * @param {Result} result
 * @param {string} note
 */
function fail(result, note) {
  result.failed += 1
  result.notes.push(note)
}

/**
 * @param {Result} result
 * @param {string} runner
 * @param {number} code
 */
function judged(result, runner, code) {
  if (result.failed === 0 && code !== 0)
    fail(result, `${runner} ended with code ${code} although no test failed`)
  if (result.failed === 0 && result.passed === 0) fail(result, `${runner} ran no tests`)
  return result
}

/**
 * @param {string} runner
 * @param {number} code
 * @returns {Result}
 */
function crashed(runner, code) {
  return { passed: 0, failed: 1, skipped: [], notes: [`${runner} crashed without a report (code ${code})`] }
}
