// Remembers for a day that the official Electron could not be downloaded, so that every start doesn't wait for it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const day = 24 * 60 * 60 * 1000

/** @typedef {{ key: string, at: number, reason: string }} Failure at is milliseconds since 1970 */

/**
 * Whether an earlier failure still speaks against trying again.
 * @param {Failure | null} failure
 * @param {string} key what was tried: version and mirror
 * @param {number} now milliseconds since 1970
 */
export function stillHolds(failure, key, now) {
  if (!failure || failure.key !== key) return false
  const age = now - failure.at
  return age >= 0 && age < day // a failure from the future is a clock that was set back: try again
}

/**
 * @param {string} file
 * @returns {Failure | null}
 */
export function readFailure(file) {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8'))
    const whole =
      typeof value?.key === 'string' && typeof value.at === 'number' && typeof value.reason === 'string'
    return whole ? value : null
  } catch {
    return null // none, or half written: try the download
  }
}

/**
 * @param {string} file
 * @param {Failure} failure
 */
export function writeFailure(file, failure) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(failure)}\n`)
}

/** @param {string} file */
export function forgetFailure(file) {
  rmSync(file, { force: true })
}
