// `npm run corpus`: plays the attack corpus, takes one defence after the other out of the sources as they are loaded and
// shows that the attacks which it stops succeed without it, and notes what came of both for the app's own page.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentDigest } from './lib/content-digest.mjs'
import { corpusResult } from './lib/corpus-result.mjs'
import { playWithoutDefences } from './lib/corpus-off.mjs'
import { playCore, playUnits, playWindow } from './lib/corpus-run.mjs'
import { onInterruption } from './lib/interruption.mjs'
import { createProcesses } from './lib/processes.mjs'
import { projectEnvironment, root } from './lib/project.mjs'

const help = `Usage: npm run corpus [-- --no-window] [-- --no-defences] [-- <defence>[+<defence>] ...]

  Plays every attack and writes what came of each into resources/corpus-result.json, which Settings, Security self-test
  shows. With names of defences only these are taken away, and nothing is written. Ends with 1 when an attack had its
  effect, was not played although there is a proof, or failed although its defence was off: then something else stops it,
  and the case proves nothing about it. The defences are those of test/corpus/defences.json and defended-tests.json.
`
/** Milliseconds for one program, against hanging. */
const limit = 20 * 60_000

const wanted = process.argv.slice(2)
const names = wanted.filter((word) => !word.startsWith('--'))
const withWindow = !wanted.includes('--no-window')
process.chdir(root)
if (wanted.includes('--help')) console.log(help)
else process.exitCode = await main()

async function main() {
  const processes = createProcesses()
  const temp = mkdtempSync(join(tmpdir(), 'satchel-corpus-'))
  onInterruption(() => void processes.stopAll().then(() => giveUp(temp)))
  const context = { processes, temp, env: projectEnvironment(), limit }
  try {
    if (names.length === 0) return await playAll(context)
    const { failed } = await playWithoutDefences(context, { names, withWindow })
    return failed > 0 ? 1 : 0
  } finally {
    await processes.stopAll()
    rmSync(temp, { recursive: true, force: true })
  }
}

/**
 * Nothing more is played or written, and no app without a defence is left.
 * @param {string} temp
 */
function giveUp(temp) {
  for (const folder of [temp, join(root, 'out')]) rmSync(folder, { recursive: true, force: true })
  process.exit(130)
}

/** @param {import('./lib/corpus-run.mjs').Context} context */
async function playAll(context) {
  const sources = contentDigest(root)
  const corpus = JSON.parse(readFileSync(join(root, 'resources', 'attack-corpus.json'), 'utf8'))
  const played = await play(corpus, context)
  const ids = corpusResult(corpus, played)
  const failed = Object.keys(ids).filter((id) => ids[id] === 'failed')
  console.log(
    `${Object.keys(ids).length} of ${corpus.length} ids played, failed: ${failed.join(' ') || 'none'}`,
  )
  const missing = withWindow ? notPlayed(corpus, ids) : []
  if (missing.length > 0) console.log(`not played, though there is a proof: ${missing.join(' ')}`)
  const result = { ...about(played.runtime), sources, defences: null, ids }
  // Kept also where the rest is interrupted.
  write(result)
  const options = { names, withWindow }
  const defences = wanted.includes('--no-defences') ? null : await playWithoutDefences(context, options)
  write({ ...result, defences })
  return failed.length + missing.length === 0 && !defences?.failed ? 0 : 1
}

/**
 * A proof whose test has another name by now is never told of.
 * @param {readonly import('./lib/corpus-result.mjs').Case[]} corpus
 * @param {Record<string, string>} ids
 */
function notPlayed(corpus, ids) {
  return corpus.filter(({ id, proofs }) => proofs.length > 0 && !(id in ids)).map(({ id }) => id)
}

/**
 * @param {any} corpus
 * @param {import('./lib/corpus-run.mjs').Context} context
 */
async function play(corpus, context) {
  const units = await playUnits(corpus, context)
  const core = await playCore(context)
  if (!withWindow) return { told: units, core, window: null, runtime: null }
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
