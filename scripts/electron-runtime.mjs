// Decides which Electron runs Satchel. Prints its path; `--release` refuses one that must not be packaged.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheFolder } from './lib/cache.mjs'
import { forgetFailure, readFailure, stillHolds, writeFailure } from './lib/download-memory.mjs'
import { fallbackElectron, fallbackVersion } from './lib/fallback-electron.mjs'
import { onInterruption } from './lib/interruption.mjs'
import { downloadElectron, installedElectron, officialVersion } from './lib/official-electron.mjs'
import { root } from './lib/project.mjs'

const downloadLimit = 20_000 // ms; where there is a fall-back
const patientLimit = 600_000 // ms; where the download is the only way

/**
 * @typedef {{ kind: 'override' | 'official' | 'fallback', path: string, version: string, reason: string }} Runtime
 *   reason: why it is not the official one, '' if it is
 * @typedef {(line: string) => void} Log
 * @typedef {{
 *   version: string,
 *   hasFallback: boolean,
 *   isFile: (path: string) => boolean,
 *   versionOf: (executable: string) => string,
 *   installed: () => string | null,
 *   failure: () => import('./lib/download-memory.mjs').Failure | null,
 *   remember: (failure: import('./lib/download-memory.mjs').Failure) => void,
 *   forget: () => void,
 *   download: (limit: number) => Promise<import('./lib/official-electron.mjs').Download>,
 *   fallback: () => Promise<string>,
 *   now: () => number,
 * }} Probes what the decision looks at and does
 */

/**
 * The Electron to use: the one SATCHEL_ELECTRON names, the installed official one, the official download, or on
 * Linux x64 the fall-back. Says in one line which it is.
 * @param {{ env: NodeJS.ProcessEnv, log: Log, probes?: Probes }} options
 * @returns {Promise<Runtime>}
 * @throws {Error} when there is none, with what to do
 */
export async function findRuntime({ env, log, probes = realProbes(env, log) }) {
  const runtime = await choose(env, log, probes)
  log(describe(runtime))
  return runtime
}

/**
 * Refuses a runtime that no release may contain: the fall-back, and any other version than the pinned one.
 * @param {Runtime} runtime
 * @param {string} [pinned] version
 */
export function assertReleaseRuntime(runtime, pinned = officialVersion(root)) {
  if (runtime.kind !== 'fallback' && runtime.version === pinned) return
  throw new Error(`Packaging a release with it is refused, that needs the official Electron ${pinned}.`)
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {Log} log
 * @param {Probes} probes
 * @returns {Promise<Runtime>}
 */
async function choose(env, log, probes) {
  const override = env['SATCHEL_ELECTRON']
  if (override) {
    const path = resolve(override)
    if (probes.isFile(path))
      return { kind: 'override', path, version: probes.versionOf(path), reason: 'chosen' }
    throw new Error(`SATCHEL_ELECTRON names ${path}, which is no file. Unset it or name an executable.`)
  }
  const official = { kind: /** @type {const} */ ('official'), version: probes.version, reason: '' }
  const installed = probes.installed()
  if (installed) return { ...official, path: installed }

  const { path, reason } = await tryDownload(env, log, probes)
  if (path) return { ...official, path }
  if (probes.hasFallback) {
    return { kind: 'fallback', path: await probes.fallback(), version: fallbackVersion, reason }
  }
  throw new Error(
    `Electron ${probes.version} could not be downloaded (${reason}), and nothing can take its place here. ` +
      'Check the network, or name an Electron executable in SATCHEL_ELECTRON.',
  )
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {Log} log
 * @param {Probes} probes
 */
async function tryDownload(env, log, probes) {
  const mirror = env['ELECTRON_MIRROR'] ?? env['npm_config_electron_mirror'] ?? ''
  const key = `${probes.version} ${mirror}`.trim()
  const earlier = probes.failure()
  if (probes.hasFallback && earlier && stillHolds(earlier, key, probes.now())) {
    return {
      path: null,
      reason: `its download failed on ${new Date(earlier.at).toISOString()}: ${earlier.reason}`,
    }
  }
  log(`Downloading Electron ${probes.version}.`)
  const { path, reason } = await probes.download(probes.hasFallback ? downloadLimit : patientLimit)
  if (path) probes.forget()
  else probes.remember({ key, at: probes.now(), reason })
  return { path, reason: `its download failed: ${reason}` }
}

/** @param {Runtime} runtime */
function describe({ kind, path, version, reason }) {
  if (kind === 'official') return `Electron ${version}, the official one.`
  if (kind === 'override') return `Electron at ${path}, named by SATCHEL_ELECTRON.`
  return `Electron ${version} from an npm package, for trying and testing only; not the official one: ${reason}.`
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {Log} log
 * @returns {Probes}
 */
function realProbes(env, log) {
  const cache = cacheFolder(env)
  const memory = join(cache, 'electron-download-failed.json')
  return {
    version: officialVersion(root),
    hasFallback: process.platform === 'linux' && process.arch === 'x64',
    isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
    versionOf: versionBeside,
    installed: () => installedElectron(root),
    failure: () => readFailure(memory),
    remember: (failure) => writeFailure(memory, failure),
    forget: () => forgetFailure(memory),
    download: (limit) => downloadElectron(root, limit),
    fallback: () => fallbackElectron(cache, log),
    now: Date.now,
  }
}

/**
 * The version an Electron folder states, '' if it states none.
 * @param {string} executable
 */
function versionBeside(executable) {
  const file = join(dirname(executable), 'version')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().replace(/^v/, '') : ''
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const isRelease = process.argv.includes('--release')
  onInterruption(() => process.exit(130)) // an exit cleans up, death by signal would not
  try {
    const env = process.env
    const probes = realProbes(env, console.error)
    if (isRelease) probes.hasFallback = false // then the download is also tried again, and with patience
    const runtime = await findRuntime({ env, log: console.error, probes })
    if (isRelease) assertReleaseRuntime(runtime)
    console.log(runtime.path)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    console.error(
      isRelease ? `No Electron for a release, where the fall-back is refused: ${message}` : message,
    )
    process.exitCode = 1
  }
}
