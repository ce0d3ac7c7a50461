// Whether out/ still matches the sources, judged by names, sizes and times of the files.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const inputs = [
  'src',
  'resources/agent-folders.json',
  'resources/attack-corpus.json',
  'resources/corpus-result.json',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
]
const outputs = ['out/main/index.cjs', 'out/preload/index.cjs', 'out/renderer/index.html']
const stamp = 'out/.sources'

/**
 * @param {string} root project folder
 * @returns {boolean}
 */
export function isBuilt(root) {
  if (!outputs.every((name) => existsSync(join(root, name)))) return false
  return existsSync(join(root, stamp)) && readFileSync(join(root, stamp), 'utf8') === sourceDigest(root)
}

/**
 * Runs `build` and, if it succeeds, notes which sources went into it. Files that change meanwhile make the next
 * build necessary.
 * @param {string} root project folder
 * @param {() => Promise<number>} build returns the exit code
 * @returns {Promise<number>}
 */
export async function buildAndStamp(root, build) {
  rmSync(join(root, stamp), { force: true })
  const digest = sourceDigest(root)
  const code = await build()
  if (code === 0) writeFileSync(join(root, stamp), digest)
  return code
}

/** Names the process that has the built app open. */
const openMark = 'out/.open'

/**
 * Notes that a process runs from out/.
 * @param {string} root project folder
 * @param {number} pid
 */
export function markOpen(root, pid) {
  writeFileSync(join(root, openMark), String(pid))
}

/**
 * The process that still runs from out/, if there is one: a build would take its files away under it.
 * @param {string} root project folder
 * @returns {number | null}
 */
export function openProcess(root) {
  if (!existsSync(join(root, openMark))) return null
  const pid = Number(readFileSync(join(root, openMark), 'utf8'))
  return pid > 0 && isAlive(pid) ? pid : null
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** @param {string} root */
function sourceDigest(root) {
  const hash = createHash('sha256')
  for (const name of inputs) addFile(hash, root, name)
  return hash.digest('hex')
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} name
 */
function addFile(hash, root, name) {
  const file = join(root, name)
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory()) {
    for (const inner of readdirSync(file).toSorted()) addFile(hash, root, join(name, inner))
  } else hash.update(`${name} ${stat?.size} ${stat?.mtimeMs}\n`)
}
