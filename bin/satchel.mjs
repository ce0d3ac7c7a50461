#!/usr/bin/env node
// The command `satchel`, from a checkout. Plain and small: it runs on any Node, and starts itself again with the
// project's own one where the native modules need that.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const args = process.argv.slice(2)
const maxReason = 1000
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

if (isSupported(process.versions.node)) await run()
else startAgain()

async function run() {
  try {
    const { commandEntry } = await import('../scripts/lib/cli.mjs')
    const file = await commandEntry(root, () => {
      if (process.stderr.isTTY) console.error('Building the command; this takes a second.')
    })
    // Compiled code lies beside the build and goes with it: a third less to wait for at the start of a chat.
    nodeModule.enableCompileCache?.(join(dirname(file), 'compiled'))
    const { main } = await import(pathToFileURL(file).href)
    process.exitCode = await main(args, { root })
  } catch (error) {
    fail(error)
  }
}

/** @param {unknown} error */
function fail(error) {
  const missing = /** @type {NodeJS.ErrnoException} */ (error)?.code === 'ERR_MODULE_NOT_FOUND'
  // The bundler colours its messages, wherever they go.
  const reason = stripVTControlCharacters(error instanceof Error ? error.message : String(error))
  stop(
    missing
      ? 'A package is missing in node_modules.'
      : `The command could not be built or loaded: ${reason.trim().slice(0, maxReason)}`,
  )
}

/**
 * Native modules are built for the project's Node; others may crash without a word.
 * @param {string} version
 */
function isSupported(version) {
  const major = Number(version.split('.')[0])
  return major >= 22 && major === wantedMajor()
}

function wantedMajor() {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Number(devDependencies.node.split('.')[0])
}

function startAgain() {
  const node = projectNode()
  if (node === null || process.env['SATCHEL_STARTED_AGAIN'] === '1') {
    stop(`Satchel's command needs Node ${wantedMajor()}, and this is Node ${process.versions.node}.`)
    return
  }
  // Marked, so that a Node that is not what its package says does not start itself for ever.
  const env = { ...process.env, SATCHEL_STARTED_AGAIN: '1' }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...args], { stdio: 'inherit', env })
  // A terminal sends Ctrl-C to both; from elsewhere it reaches only this one.
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => stop(`The project's Node could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1
      return
    }
    for (const each of signals) process.removeAllListeners(each)
    process.kill(process.pid, signal)
  })
}

/** The Node that `npm ci` installs with the other packages; null when it is missing or not the wanted one. */
function projectNode() {
  const folder = join(root, 'node_modules', 'node')
  const file = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(file) || !existsSync(join(folder, 'package.json'))) return null
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return isSupported(version) ? file : null
}

/** @param {string} reason */
function stop(reason) {
  const fix = `Run "npm start" or "npm ci" once in ${root}, then try again.`
  const json = args.includes('--json')
  if (json) {
    const nothing = { duration_ms: 0, tokens_used: 0, cost_usd: 0, cached: false, retry_count: 0 }
    const envelope = { success: false, error: `${reason} ${fix}`, error_code: 'internal', ...nothing }
    process.stdout.write(`${JSON.stringify(envelope)}\n`)
  } else process.stderr.write(`${reason}\n${fix}\n`)
  process.exitCode = 1
}
