import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '../lib/log'
import { describe } from './log-file'

/** Writes down why main is about to die. Never throws: the process ends next in any case. */
export function writeCrashMarker(file: string, error: unknown, now: number): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const marker = { time: new Date(now).toISOString(), ...describe(error) }
    writeFileSync(file, JSON.stringify(marker), { mode: 0o600 })
  } catch {
    // A full disk must not hide the first error.
  }
}

/** Moves the marker of the last start, if there is one, into the log. True if there was. */
export function takeCrashMarker(file: string, log: Log): boolean {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
    rmSync(file)
  } catch {
    return false // no marker is the usual case
  }
  log.warn('Satchel ended with an error last time', { marker: text.slice(0, 10_000) })
  return true
}
