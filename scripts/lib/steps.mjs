// The steps of `npm test`, and running them two at a time.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildAndStamp } from './build.mjs'
import { root } from './project.mjs'
import { commandResult, playwrightResult, vitestResult } from './results.mjs'
import { displayEnvironment, startXvfb } from './xvfb.mjs'

/**
 * @typedef {import('./results.mjs').Result & { output: string }} Finished
 * @typedef {{ name: string, isRunner: boolean, run: () => Promise<Finished> }} Step
 * @typedef {(step: Step, finished: Finished, seconds: number) => void} Tell
 * @typedef {{
 *   processes: import('./processes.mjs').Processes,
 *   env: NodeJS.ProcessEnv,
 *   temp: string,
 *   limit: number,
 * }} Context temp: folder for reports; limit: milliseconds for one program, a guard against hanging
 */

/** As many windows are tested at a time, each on a display of its own: on one they would take each other's focus. */
const DISPLAYS = 2

/**
 * What is quick to check: everything but the build and the tests in Electron.
 * @param {Context} context
 * @returns {Step[]}
 */
export function quickSteps(context) {
  const commands = {
    types: ['tsc -p tsconfig.node.json', 'tsc -p tsconfig.web.json'],
    lint: ['oxlint --type-aware --deny-warnings src test scripts'],
    format: ['oxfmt --check'],
    'dead code': ['knip --no-progress --no-config-hints'],
  }
  const unit = vitestStep('unit tests', context)
  return [unit, ...Object.entries(commands).map(([name, lines]) => commandStep(name, lines, context))]
}

/**
 * @param {Context} context
 * @param {(ok: boolean) => void} onBuilt
 * @returns {Step}
 */
export function buildStep(context, onBuilt) {
  return {
    name: 'build',
    isRunner: false,
    run: async () => {
      let output = ''
      const code = await buildAndStamp(root, async () => {
        const outcome = await runLine('electron-vite build --logLevel warn', context)
        output = outcome.output
        return outcome.code
      })
      onBuilt(code === 0)
      return { ...commandResult(code), output }
    },
  }
}

/**
 * @param {string} name
 * @param {Context} context
 * @returns {Step}
 */
export function vitestStep(name, context) {
  const report = join(context.temp, 'vitest.json')
  const reasons = join(root, 'scripts', 'lib', 'skip-reasons.mjs')
  const args = [
    'run',
    '--reporter=default',
    `--reporter=${reasons}`,
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  return {
    name,
    isRunner: true,
    run: async () => {
      const { code, output } = await context.processes.run('vitest', args, context)
      return { ...vitestResult(readReport(report), code), output }
    },
  }
}

/**
 * Tests in Electron, on private displays on Linux.
 * @param {string} name
 * @param {Context} context
 * @param {() => Promise<string>} findElectron path of the executable
 * @returns {Step}
 */
export function playwrightStep(name, context, findElectron) {
  const report = join(context.temp, 'playwright.json')
  return {
    name,
    isRunner: true,
    run: async () => {
      const own = { SATCHEL_ELECTRON_PATH: await findElectron(), PLAYWRIGHT_JSON_OUTPUT_FILE: report }
      const base = { ...context.env, ...own }
      const env = process.platform === 'linux' ? await onPrivateDisplays(context, base) : base
      const { code, output } = await context.processes.run('playwright', ['test', '--reporter=list,json'], {
        env,
        limit: context.limit,
      })
      return { ...playwrightResult(readReport(report), code), output }
    },
  }
}

/**
 * Runs the steps in their order, `width` at a time, and tells of each when it ends.
 * @param {Step[]} steps
 * @param {number} width
 * @param {Tell} tell
 */
export async function runSteps(steps, width, tell) {
  const waiting = [...steps]
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const start = performance.now()
      const finished = await step.run().catch(failedStep)
      tell(step, finished, (performance.now() - start) / 1000)
    }
  }
  await Promise.all(Array.from({ length: width }, work))
}

/**
 * @param {unknown} error
 * @returns {Finished}
 */
function failedStep(error) {
  return { ...commandResult(1), output: error instanceof Error ? error.message : String(error) }
}

/**
 * @param {string} name
 * @param {string[]} lines commands, run one after the other
 * @param {Context} context
 * @returns {Step}
 */
function commandStep(name, lines, context) {
  return {
    name,
    isRunner: false,
    run: async () => {
      let output = ''
      let code = 0
      for (const line of lines) {
        const outcome = await runLine(line, context)
        output += outcome.output
        code ||= outcome.code
      }
      return { ...commandResult(code), output }
    },
  }
}

/**
 * @param {string} line program and arguments without blanks in them
 * @param {Context} context
 */
function runLine(line, context) {
  const [program = '', ...args] = line.split(' ')
  return context.processes.run(program, args, context)
}

/**
 * @param {Context} context
 * @param {NodeJS.ProcessEnv} env
 */
async function onPrivateDisplays(context, env) {
  const runtimeDir = join(context.temp, 'run')
  mkdirSync(runtimeDir, { recursive: true, mode: 0o700 })
  const displays = []
  while (displays.length < DISPLAYS) displays.push(await startXvfb(context.processes, env))
  return {
    ...displayEnvironment(env, displays[0] ?? ''),
    SATCHEL_TEST_DISPLAYS: displays.join(' '),
    XDG_RUNTIME_DIR: runtimeDir,
  }
}

/** @param {string} file */
function readReport(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
