// `npm test`: all checks and tests, ended by one line that sums them.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRuntime } from './electron-runtime.mjs'
import { onInterruption } from './lib/interruption.mjs'
import { createProcesses } from './lib/processes.mjs'
import { projectEnvironment, root } from './lib/project.mjs'
import { closing } from './lib/results.mjs'
import { buildStep, playwrightStep, quickSteps, runSteps, vitestStep } from './lib/steps.mjs'

const help = `Usage: npm test | npm run check | npm run test:long

  npm test            types, lint, format, dead code, unit tests, build, end-to-end tests in Electron
  npm run check       the fast part: without the build, the end-to-end tests and the samples of the long tests
  npm run test:long   what is too slow for every time
`
/** Milliseconds for one program, against hanging. */
const limits = { check: 5 * 60_000, all: 15 * 60_000, long: 45 * 60_000 }

/** @type {Record<Mode, Record<string, string>>} */
const modeVariables = { check: { SATCHEL_TEST_QUICK: '1' }, all: {}, long: { SATCHEL_TEST_LONG: '1' } }

/**
 * @typedef {'check' | 'all' | 'long'} Mode
 * @typedef {import('./lib/steps.mjs').Finished} Finished
 */

const flags = process.argv.slice(2)
const unknown = flags.find((flag) => !['--check', '--long', '--help', '-h'].includes(flag))
if (unknown) {
  console.error(`Unknown option ${unknown}.\n\n${help}`)
  process.exitCode = 2
} else if (flags.includes('--help') || flags.includes('-h')) console.log(help)
else process.exitCode = await main(modeOf(flags))

/** @param {Mode} mode */
async function main(mode) {
  process.chdir(root)
  process.stdout.on('error', () => {}) // nobody reads on: still clean up
  const processes = createProcesses()
  const temp = mkdtempSync(join(tmpdir(), 'satchel-test-'))
  // As the system's own: some tests run as another person.
  chmodSync(temp, 0o1777)
  const interruption = watchInterruption(processes)
  /** @type {Finished[]} */
  const results = []
  /** @type {import('./lib/steps.mjs').Tell} */
  const tell = (step, finished, seconds) => {
    results.push(finished)
    report(step, finished, seconds, interruption.happened())
  }
  try {
    for (const steps of stages(mode, {
      processes,
      temp,
      env: environment(mode, temp),
      limit: limits[mode],
    })) {
      if (!interruption.happened()) await runSteps(steps, 2, tell)
    }
  } finally {
    for (const command of await processes.stopAll())
      console.log(`Left running by a step, ended now: ${command}`)
    rmSync(temp, { recursive: true, force: true, maxRetries: 3 })
  }
  const { line, ok } = closing(results)
  console.log(line)
  if (interruption.happened()) return 130
  return ok ? 0 : 1
}

/**
 * Steps of one stage run side by side, stages one after the other.
 * @param {Mode} mode
 * @param {import('./lib/steps.mjs').Context} context
 * @returns {import('./lib/steps.mjs').Step[][]}
 */
function stages(mode, context) {
  if (mode === 'check') return [quickSteps(context)]
  const runtime = findRuntime({ env: context.env, log: console.log })
  runtime.catch(() => {}) // the step that needs it reports the failure
  let isBuilt = false
  const build = buildStep(context, (ok) => (isBuilt = ok))
  const findElectron = async () => {
    if (!isBuilt) throw new Error('Not run, because the build failed.')
    return (await runtime).path
  }
  if (mode === 'long') {
    return [
      [build],
      [vitestStep('long tests', context)],
      [playwrightStep('long window tests', context, findElectron)],
    ]
  }
  return [[...quickSteps(context), build], [playwrightStep('end-to-end tests', context, findElectron)]]
}

/**
 * What is made in the system's temporary folder goes with the one of this run, also what a program that was killed
 * could not remove.
 * @param {Mode} mode
 * @param {string} temp
 */
function environment(mode, temp) {
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }
  return { ...projectEnvironment(), ...color, ...modeVariables[mode], TMPDIR: temp }
}

/**
 * On Ctrl-C and its like ends the running steps; the rest is then cleaned up as at any other end.
 * @param {import('./lib/processes.mjs').Processes} processes
 */
function watchInterruption(processes) {
  let happened = false
  onInterruption(() => {
    if (!happened) console.log('Interrupted: stopping what runs.')
    happened = true
    void processes.stopAll()
  })
  return { happened: () => happened }
}

/**
 * @param {import('./lib/steps.mjs').Step} step
 * @param {Finished} finished
 * @param {number} seconds
 * @param {boolean} isInterrupted
 */
function report(step, finished, seconds, isInterrupted) {
  const { passed, failed, skipped, notes, output } = finished
  const counts = step.isRunner ? `  ${passed} of ${passed + failed}` : ''
  console.log(
    `${failed > 0 ? 'failed' : 'ok    '}  ${step.name.padEnd(17)} ${seconds.toFixed(1).padStart(6)} s${counts}`,
  )
  for (const { name, reason } of skipped)
    console.log(`        skipped: ${name} (${reason || 'no reason given'})`)
  if (failed === 0 || isInterrupted) return
  if (output.trim()) console.log(output.trim())
  for (const note of notes) console.log(`${step.name}: ${note}`)
}

/**
 * @param {string[]} options
 * @returns {Mode}
 */
function modeOf(options) {
  if (options.includes('--check')) return 'check'
  return options.includes('--long') ? 'long' : 'all'
}
