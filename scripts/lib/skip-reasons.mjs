/** A vitest reporter: puts the reason a test gave for being skipped where the JSON reporter writes it out. */
export default class SkipReasons {
  /** @param {Pick<import('vitest/node').TestCase, 'result' | 'meta'>} test */
  onTestCaseResult(test) {
    const result = test.result()
    if (result.state === 'skipped') Object.assign(test.meta(), { note: result.note ?? '' })
  }
}
