import type { Stats } from 'node:fs'

/** What tells that a file or folder is as it was: size, times of content and of anything (ms since 1970), inode. */
export type Sig = readonly [size: number, mtimeMs: number, ctimeMs: number, ino: number]

/** Clocks of file systems tick at most this slowly (ms). */
const TICK_MS = 50
/** The same for those that keep whole seconds only. */
const COARSE_TICK_MS = 2100

export function sigOf(stat: Stats): Sig {
  return [stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino]
}

export function sameSig(a: Sig | null, b: Sig | null): boolean {
  return a !== null && b !== null && a[2] === b[2] && a[3] === b[3] && a[0] === b[0] && a[1] === b[1]
}

/**
 * True when a write right after the look could leave the same times: what was read so soon after a change is read
 * once more. `now` in ms since 1970.
 */
export function isFresh([, mtimeMs, ctimeMs]: Sig, now: number): boolean {
  const coarse = mtimeMs % 1000 === 0 && ctimeMs % 1000 === 0
  return now - Math.max(mtimeMs, ctimeMs) < (coarse ? COARSE_TICK_MS : TICK_MS)
}

/** A mark that is equal to no other: what carries it is looked at again. */
export const NO_SIG: Sig = [-1, -1, -1, -1]
