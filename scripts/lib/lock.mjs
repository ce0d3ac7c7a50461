import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Runs `work` while holding a lock file that names our process, so that two processes don't do the same costly
 * thing. It saves time only: what is made under it must be put in place by a rename. A lock whose process is gone
 * is taken over.
 * @template T
 * @param {string} file in a folder that exists
 * @param {() => Promise<T>} work
 * @param {() => void} [onWait] called once when another process holds the lock
 * @returns {Promise<T>}
 */
export async function withLock(file, work, onWait = () => {}) {
  let told = false
  while (!tryLock(file)) {
    if (!isAlive(holder(file))) {
      rmSync(file, { force: true })
      continue
    }
    if (!told) onWait()
    told = true
    await wait(200)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** @param {string} file */
function tryLock(file) {
  const own = `${file}.${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    linkSync(own, file) // a hard link appears with its content, and only if nothing is there
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

/** @param {string} file */
function holder(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0 // released between our try and this look
  }
}

/**
 * Whether a process with this id runs; one that has ended but whose parent has not noticed does not.
 * @param {number} pid
 */
export function isAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** @param {number} pid */
function isZombie(pid) {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false // no /proc on this system
  }
}
