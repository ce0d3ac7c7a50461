// The pinned Electron as its makers publish it.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {{ path: string | null, reason: string }} Download path is null when it failed, reason says why */

/**
 * The version package.json pins.
 * @param {string} root project folder
 * @returns {string}
 */
export function officialVersion(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.electron
}

/**
 * The installed official executable. Its installer writes path.txt last, so a half unpacked one is not taken.
 * @param {string} root project folder
 * @returns {string | null}
 */
export function installedElectron(root) {
  const folder = join(root, 'node_modules', 'electron')
  try {
    const version = readFileSync(join(folder, 'dist', 'version'), 'utf8')
      .trim()
      .replace(/^v/, '')
    const path = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim())
    return version === officialVersion(root) && existsSync(path) ? path : null
  } catch {
    return null // not installed
  }
}

/**
 * Runs the installer of the electron package.
 * @param {string} root project folder
 * @param {number} limit milliseconds, then it is stopped
 * @returns {Promise<Download>}
 */
export async function downloadElectron(root, limit) {
  const installer = join(root, 'node_modules', 'electron', 'install.js')
  const child = spawn(process.execPath, [installer], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: process.platform !== 'win32',
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop(child)
  }, limit)
  const code = await new Promise((done) => child.on('close', done).on('error', () => done(-1)))
  const host = downloadHost(process.env)
  clearTimeout(timer)
  const path = installedElectron(root)
  if (code === 0 && path) return { path, reason: '' }
  const late = `${host} did not deliver it within ${limit / 1000} s`
  return { path: null, reason: isLate ? late : failureReason(output, host) }
}

/**
 * Where the installer looks for Electron, in its own order; without port, name and password.
 * @param {NodeJS.ProcessEnv} env
 */
export function downloadHost(env) {
  const mirror = env['npm_config_electron_mirror'] || env['ELECTRON_MIRROR']
  if (!mirror) return 'github.com'
  return URL.canParse(mirror) ? new URL(mirror).hostname : 'the mirror'
}

/**
 * One line, in words where the network is at fault, and never with a name or password of an address.
 * @param {string} output of the installer
 * @param {string} host
 */
export function failureReason(output, host) {
  const line = output.split('\n').find((part) => part.trim())
  if (!line) return 'the installer failed without a word'
  if (/fetch failed|ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|socket hang up/.test(line)) {
    return `${host} could not be reached`
  }
  return line
    .trim()
    .replaceAll(/\/\/[^/\s@]*@/g, '//')
    .slice(0, 120)
}

/** @param {import('node:child_process').ChildProcess} child */
function stop(child) {
  if (!child.pid || process.platform === 'win32') child.kill('SIGKILL')
  else process.kill(-child.pid, 'SIGKILL')
}
