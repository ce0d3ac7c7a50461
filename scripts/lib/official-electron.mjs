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
  clearTimeout(timer)
  const path = installedElectron(root)
  if (code === 0 && path) return { path, reason: '' }
  return { path: null, reason: isLate ? `no answer within ${limit / 1000} s` : firstLine(output) }
}

/** @param {import('node:child_process').ChildProcess} child */
function stop(child) {
  if (!child.pid || process.platform === 'win32') child.kill('SIGKILL')
  else process.kill(-child.pid, 'SIGKILL')
}

/** @param {string} text */
function firstLine(text) {
  const line = text.split('\n').find((part) => part.trim())
  return (line ?? 'the installer failed without a word').trim().slice(0, 120)
}
