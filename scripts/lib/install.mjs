// Whether `npm ci` has to run, and running it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { withLock } from './lock.mjs'

/**
 * @param {{ hasModules: boolean, stamp: string | null, lockHash: string }} state stamp is what the last
 *   successful installation wrote: the sha256 of the lock it followed
 * @returns {'missing' | 'changed' | null} why an installation is needed
 */
export function installReason({ hasModules, stamp, lockHash }) {
  if (!hasModules) return 'missing'
  return stamp === lockHash ? null : 'changed'
}

/**
 * Installs the packages of the lock file unless that was done already.
 * @param {string} root folder with package-lock.json
 * @param {(line: string) => void} log
 */
export async function installPackages(root, log) {
  if (!readReason(root)) return
  const key = createHash('sha256').update(resolve(root)).digest('hex').slice(0, 12)
  const lock = join(tmpdir(), `satchel-install-${process.getuid?.() ?? 0}-${key}.lock`)
  const onWait = () => log('Waiting for another installation of packages in this folder.')
  await withLock(
    lock,
    async () => {
      const reason = readReason(root) // the one we waited for may have done it
      if (reason) runNpmCi(root, reason, log)
    },
    onWait,
  )
}

/** @param {string} root */
function readReason(root) {
  return installReason({
    hasModules: existsSync(join(root, 'node_modules')),
    stamp: readStamp(root),
    lockHash: lockHash(root),
  })
}

/** @param {string} root */
function readStamp(root) {
  try {
    return readFileSync(stampFile(root), 'utf8')
  } catch {
    return null // never installed by this script
  }
}

/** @param {string} root */
function stampFile(root) {
  return join(root, 'node_modules', '.satchel-lock')
}

/** @param {string} root */
function lockHash(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

/**
 * @param {string} root
 * @param {'missing' | 'changed'} reason
 * @param {(line: string) => void} log
 */
function runNpmCi(root, reason, log) {
  const why = reason === 'missing' ? 'node_modules is missing' : 'package-lock.json changed'
  log(`Installing packages with npm ci (${why}); this takes a minute.`)
  const hash = lockHash(root)
  const result = spawnSync('npm', ['ci', '--loglevel=error', '--include=dev'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: pathWithout(process.env['PATH'] ?? '', root) },
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) {
    const output = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`.trim()
    throw new Error(`npm ci failed (exit code ${result.status ?? result.signal}). Its output:\n${output}`)
  }
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  writeFileSync(stampFile(root), hash)
}

/**
 * PATH without this project's own programs: npm would otherwise run on the `node` in node_modules while it
 * replaces node_modules.
 * @param {string} path
 * @param {string} root
 */
export function pathWithout(path, root) {
  const modules = join(resolve(root), 'node_modules')
  return path
    .split(delimiter)
    .filter((folder) => !resolve(folder).startsWith(modules))
    .join(delimiter)
}
