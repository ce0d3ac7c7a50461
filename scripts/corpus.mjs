// `npm run corpus`: plays the attack corpus, takes one defence after the other out of the sources as they are loaded and
// shows that the attacks which it stops succeed without it, and notes what came of both for the app's own page.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentDigest } from './lib/content-digest.mjs'
import { corpusResult } from './lib/corpus-result.mjs'
import { playCore, playUnits, playWindow } from './lib/corpus-run.mjs'
import { readDefences } from './lib/defences.mjs'
import { onInterruption } from './lib/interruption.mjs'
import { createProcesses } from './lib/processes.mjs'
import { projectEnvironment, root } from './lib/project.mjs'

const help = `Usage: npm run corpus [-- --no-window] [-- --no-defences] [-- <defence>[+<defence>] ...]

  Plays every attack and writes what came of each into resources/corpus-result.json, which Settings, Security self-test
  shows. With names of defences only these are taken away, and nothing is written. Ends with 1 when an attack had its
  effect, or failed although its defence was off: then something else stops it, and the case proves nothing about it.
`
/** Milliseconds for one program, against hanging. */
const limit = 20 * 60_000

const wanted = process.argv.slice(2)
const names = wanted.filter((word) => !word.startsWith('--'))
process.chdir(root)
if (wanted.includes('--help')) console.log(help)
else process.exitCode = names.length > 0 ? (withoutDefences().failed > 0 ? 1 : 0) : await main()

async function main() {
  const sources = contentDigest(root)
  const corpus = JSON.parse(readFileSync(join(root, 'resources', 'attack-corpus.json'), 'utf8'))
  const processes = createProcesses()
  const temp = mkdtempSync(join(tmpdir(), 'satchel-corpus-'))
  onInterruption(() => void processes.stopAll())
  try {
    const played = await play(corpus, { processes, temp, env: projectEnvironment(), limit })
    const ids = corpusResult(corpus, played)
    const failed = Object.keys(ids).filter((id) => ids[id] === 'failed')
    console.log(
      `${Object.keys(ids).length} of ${corpus.length} ids played, failed: ${failed.join(' ') || 'none'}`,
    )
    const defences = wanted.includes('--no-defences') ? null : withoutDefences()
    write({ ...about(played.runtime), sources, defences, ids })
    return failed.length === 0 && !defences?.failed ? 0 : 1
  } finally {
    await processes.stopAll()
    rmSync(temp, { recursive: true, force: true })
  }
}

/**
 * @param {any} corpus
 * @param {import('./lib/corpus-run.mjs').Context} context
 */
async function play(corpus, context) {
  const units = await playUnits(corpus, context)
  const core = await playCore(context)
  if (wanted.includes('--no-window')) return { told: units, core, window: null, runtime: null }
  const { told, window, runtime } = await playWindow(corpus, context)
  return { told: [...units, ...told], core, window, runtime }
}

/** @param {string | null} electron */
function about(electron) {
  const commit = spawnSync('git', ['rev-parse', '--short=7', 'HEAD'], { encoding: 'utf8' })
  return {
    date: new Date().toISOString(),
    commit: commit.status === 0 ? commit.stdout.trim() : null,
    platform: `${process.platform} ${process.arch}`,
    node: execFileSync('node', ['--version'], { env: projectEnvironment(), encoding: 'utf8' }).trim(),
    electron,
  }
}

/** @param {object} result */
function write(result) {
  writeFileSync(join(root, 'resources', 'corpus-result.json'), `${JSON.stringify(result, null, 2)}\n`)
}

/** Without names all are tried, one at a time. */
function withoutDefences() {
  const { defences, groups } = readDefences()
  const chosen = groups.filter((group) => names.length === 0 || names.includes(group.join('+')))
  let failed = chosen.length === 0 ? 1 : 0
  for (const group of chosen) {
    const changes = group.flatMap((id) => defences.find((one) => one.id === id)?.changes ?? [])
    const isDone = succeedsWithout(group, changes)
    console.log(`${group.join(' and ')} off: ${isDone ? 'its attacks succeed' : 'FAILED'}`)
    if (!isDone) failed += 1
  }
  console.log(`${chosen.length} tried, ${chosen.length - failed} as they must be, ${failed} failed`)
  return { tried: chosen.length, failed }
}

/**
 * @param {readonly string[]} group
 * @param {readonly object[]} changes
 */
function succeedsWithout(group, changes) {
  const { status } = spawnSync(
    'vitest',
    ['run', '--config', 'test/mutants/vitest.config.ts', 'test/long/corpus-off.test.ts'],
    {
      env: {
        ...projectEnvironment(),
        // The configuration builds on that of the other tests.
        VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true',
        SATCHEL_TEST_LONG: '1',
        SATCHEL_DEFENCES_OFF: group.join(','),
        SATCHEL_MUTANT: JSON.stringify(changes),
      },
      stdio: names.length > 0 ? 'inherit' : 'ignore',
      timeout: limit,
    },
  )
  return status === 0
}
