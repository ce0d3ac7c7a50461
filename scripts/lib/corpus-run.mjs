// Plays the attack corpus: what its list names as proofs, the cases of the core, and those of the window.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findRuntime } from '../electron-runtime.mjs'
import { buildAndStamp } from './build.mjs'
import { toldByPlaywright, toldByVitest } from './corpus-result.mjs'
import { root } from './project.mjs'
import { displayEnvironment, startXvfb } from './xvfb.mjs'

/**
 * @typedef {{ processes: import('./processes.mjs').Processes, env: NodeJS.ProcessEnv, temp: string, limit: number }} Context
 * @typedef {import('./corpus-result.mjs').Reports} Reports
 * @typedef {{ version: string | null, play(args: string[], more: Record<string, string>): Promise<any> }} Desktop play:
 *   runs Playwright and gives its report
 */

/**
 * @param {readonly import('./corpus-result.mjs').Case[]} corpus
 * @param {Context} context
 */
export async function playUnits(corpus, context) {
  const files = namedFiles(corpus, '.test.ts')
  const report = join(context.temp, 'units.json')
  const args = ['run', '--reporter=json', `--outputFile.json=${report}`, ...files]
  await context.processes.run('vitest', args, context)
  return existsSync(report) ? toldByVitest(read(report), root) : []
}

/**
 * @param {Context} context
 * @returns {Promise<Reports['core']>}
 */
export async function playCore(context) {
  const report = join(context.temp, 'core.json')
  const env = { ...context.env, SATCHEL_TEST_LONG: '1', SATCHEL_CORPUS_REPORT: report }
  await context.processes.run('vitest', ['run', 'test/long/corpus.test.ts'], { ...context, env })
  return existsSync(report) ? read(report) : null
}

/**
 * @param {readonly import('./corpus-result.mjs').Case[]} corpus
 * @param {Context} context
 */
export async function playWindow(corpus, context) {
  const { processes, env, limit } = context
  const desktop = await openDesktop(context)
  const code = await buildAndStamp(root, async () => {
    const built = await processes.run('electron-vite', ['build', '--logLevel', 'warn'], { env, limit })
    return built.code ?? 1
  })
  if (code !== 0) throw new Error('The app can not be built, so its window can not be attacked.')
  const texts = toldByPlaywright(
    await desktop.play(['corpus.spec.ts'], { SATCHEL_TEST_LONG: '1' }),
    'test/long',
  )
  const files = namedFiles(corpus, '.spec.ts').map((file) => file.slice(file.lastIndexOf('/') + 1))
  const told = toldByPlaywright(await desktop.play(files, {}), 'test/e2e')
  return { told, window: texts.length > 0 && texts.every(({ ok }) => ok), runtime: desktop.version }
}

/**
 * A screen of its own, and the Electron that shows the app as it is built now.
 * @param {Context} context
 * @returns {Promise<Desktop>}
 */
export async function openDesktop({ processes, env, temp, limit }) {
  const runtime = await findRuntime({ env, log: console.log })
  const shown = process.platform === 'linux' ? displayEnvironment(env, await startXvfb(processes, env)) : env
  const report = join(temp, 'window.json')
  const own = {
    SATCHEL_ELECTRON_PATH: runtime.path,
    XDG_RUNTIME_DIR: temp,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  }
  return {
    version: runtime.version,
    async play(args, more) {
      rmSync(report, { force: true })
      await processes.run('playwright', ['test', '--reporter=json', ...args], {
        env: { ...shown, ...own, ...more },
        limit,
      })
      return read(report)
    },
  }
}

/**
 * @param {readonly import('./corpus-result.mjs').Case[]} corpus
 * @param {string} ending
 */
function namedFiles(corpus, ending) {
  const files = corpus.flatMap(({ proofs }) => proofs.map(({ file }) => file))
  return [...new Set(files)].filter((file) => file.endsWith(ending))
}

/** @param {string} file */
function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
