// `npm run mutants`: plants one change after the other into the sources as they are loaded, and shows that a test turns
// red that is there for just that behaviour. The changes are data: test/mutants/*.json.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onInterruption } from './lib/interruption.mjs'
import { readMutants } from './lib/mutants.mjs'
import { createProcesses } from './lib/processes.mjs'
import { projectEnvironment, root } from './lib/project.mjs'

const help = `Usage: npm run mutants [-- <id> ...]

  Without ids all of test/mutants are planted, one at a time. Ends with 1 when one of them survives.
`
/** Milliseconds for one run of tests, against hanging. */
const limit = 5 * 60_000
const AT_ONCE = 2

/** @typedef {import('./lib/mutants.mjs').Mutant} Mutant */
/** @typedef {{ name: string, status: string }} Ran */

const wanted = process.argv.slice(2)
process.chdir(root)
const processes = createProcesses()
let runs = 0
const temp = mkdtempSync(join(tmpdir(), 'satchel-mutants-'))
onInterruption(() => void processes.stopAll())
try {
  process.exitCode = wanted.includes('--help') ? showHelp() : await main()
} finally {
  await processes.stopAll()
  rmSync(temp, { recursive: true, force: true })
}

function showHelp() {
  console.log(help)
  return 0
}

async function main() {
  const all = readMutants()
  const mutants = wanted.length === 0 ? all : all.filter(({ id }) => wanted.includes(id))
  if (mutants.length === 0) {
    console.error(`There is no such planted change. There are: ${all.map(({ id }) => id).join(', ')}`)
    return 2
  }
  const clean = await runTests([...new Set(mutants.flatMap(({ tests }) => tests))], '')
  const red = clean?.filter(({ status }) => status !== 'passed')
  if (!red || red.length > 0) {
    console.error(
      `Without any change these must be green:\n${red?.map(({ name }) => name).join('\n') ?? 'no result'}`,
    )
    return 1
  }
  const queue = [...mutants]
  let survived = 0
  const next = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      if (!(await isCaught(mutant))) survived += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  console.log(`${mutants.length} planted, ${mutants.length - survived} caught, ${survived} survived`)
  return survived === 0 ? 0 : 1
}

/** @param {Mutant} mutant */
async function isCaught(mutant) {
  const ran = await runTests(mutant.tests, JSON.stringify(mutant))
  const failed = ran?.filter(({ status }) => status === 'failed').map(({ name }) => name) ?? []
  const meant = failed.find((name) => name.startsWith(mutant.red))
  const others = failed.length > 1 ? `, and ${failed.length - 1} more` : ''
  const outcome = meant ? `caught by "${meant}"${others}` : `SURVIVED${notMeant(ran, failed)}`
  console.log(`${mutant.id.padEnd(24)} ${mutant.breaks}: ${outcome}`)
  return meant !== undefined
}

/**
 * @param {Ran[] | null} ran
 * @param {string[]} failed
 */
function notMeant(ran, failed) {
  if (!ran) return ' (the tests could not be loaded)'
  return failed.length > 0 ? ` (other tests turned red: ${failed.join('; ')})` : ''
}

/**
 * Runs test files with a change planted; null when a file could not be loaded.
 * @param {string[]} tests
 * @param {string} mutant
 * @returns {Promise<Ran[] | null>}
 */
async function runTests(tests, mutant) {
  const file = join(temp, `${(runs += 1)}.json`)
  const config = join('test', 'mutants', 'vitest.config.ts')
  const args = ['run', '--config', config, '--reporter=json', `--outputFile=${file}`, ...tests]
  await processes.run('vitest', args, { env: { ...projectEnvironment(), SATCHEL_MUTANT: mutant }, limit })
  /** @type {{ testResults: { assertionResults: { title: string, status: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
  if (testResults.some(({ assertionResults }) => assertionResults.length === 0)) return null
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ title, status }) => ({ name: title, status })),
  )
}
