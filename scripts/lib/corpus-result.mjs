// What the reports of the test runners say of each id of resources/attack-corpus.json.

/**
 * @typedef {{ file: string, titles: string[], ok: boolean }} Told one test: titles of its groups, then its own
 * @typedef {{ id: string, proofs: { file: string, test?: string }[] }} Case
 * @typedef {{ ids: string[], faults: string[] }} CoreReport of `test/long/corpus.test.ts`
 * @typedef {{ told: readonly Told[], core: CoreReport | null, window: boolean | null }} Reports window: whether all
 *   cases of the window held; null: not played
 */

/**
 * `held` where all that proves an id was played and held, `failed` where anything did not; left out where something
 * was not played.
 * @param {readonly Case[]} corpus
 * @param {Reports} reports
 * @returns {Record<string, 'held' | 'failed'>}
 */
export function corpusResult(corpus, reports) {
  /** @type {Record<string, 'held' | 'failed'>} */
  const result = {}
  for (const { id, proofs } of corpus) {
    const held = proofs.map((proof) => proofHolds(id, proof, reports))
    if (held.includes(false)) result[id] = 'failed'
    else if (held.length > 0 && !held.includes(null)) result[id] = 'held'
  }
  return result
}

/**
 * @param {string} id
 * @param {{ file: string, test?: string }} proof
 * @param {Reports} reports
 * @returns {boolean | null} null: not played
 */
function proofHolds(id, { file, test }, { told, core, window }) {
  if (!test) {
    if (file.includes('window-cases')) return window
    if (!core?.ids.includes(id)) return null
    return !core.faults.some((fault) => fault.startsWith(`${id} `))
  }
  const pattern = titlePattern(id, test)
  const meant = told.filter((one) => one.file === file && one.titles.some((title) => pattern.test(title)))
  return meant.length === 0 ? null : meant.every(({ ok }) => ok)
}

/**
 * A title as it stands in the source, with places for values, as it is told.
 * @param {string} id
 * @param {string} test
 */
export function titlePattern(id, test) {
  const parts = test.replace(/^\$id /, `${id} `).split(/\$\{\w+\}|\$\w+|%[a-z]/)
  const words = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${words.join('.*')}$`, 's')
}

/**
 * The JSON report of vitest.
 * @param {any} report
 * @param {string} root
 * @returns {Told[]}
 */
export function toldByVitest(report, root) {
  return report.testResults.flatMap((/** @type {any} */ { name, assertionResults }) =>
    assertionResults
      .filter((/** @type {any} */ { status }) => status === 'passed' || status === 'failed')
      .map((/** @type {any} */ { ancestorTitles, title, status }) => ({
        file: relative(name, root),
        titles: [...ancestorTitles, title],
        ok: status === 'passed',
      })),
  )
}

/**
 * The JSON report of Playwright.
 * @param {any} report
 * @param {string} folder of the specs, from the root
 * @returns {Told[]}
 */
export function toldByPlaywright(report, folder) {
  /** @type {(suite: any, titles: string[]) => Told[]} */
  const walk = ({ title, file, suites = [], specs = [] }, above) => {
    const titles = title === file ? above : [...above, title]
    return [
      ...specs
        .filter((/** @type {any} */ { tests }) =>
          tests.every((/** @type {any} */ one) => one.status !== 'skipped'),
        )
        .map((/** @type {any} */ spec) => ({
          file: `${folder}/${file}`,
          titles: [...titles, spec.title],
          ok: spec.ok,
        })),
      ...suites.flatMap((/** @type {any} */ inner) => walk(inner, titles)),
    ]
  }
  return report.suites.flatMap((/** @type {any} */ suite) => walk(suite, []))
}

/**
 * @param {string} file
 * @param {string} root
 */
function relative(file, root) {
  return file.startsWith(root) ? file.slice(root.length + 1) : file
}
