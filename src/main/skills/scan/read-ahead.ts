import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { sep } from 'node:path'
import type { Entry } from './scan-state'

/** Reads files that are looked at next, when the disk turns out to be slow. */
export interface ReadAhead {
  /** How long it took to read the last skill, in milliseconds. */
  probed(ms: number): void
  /** True when reading one file after the other takes too long. */
  isDue(): boolean
  /** Has the system read the files of entries that are new; `stack` ends with the next one. Never rejects. */
  read(stack: readonly Entry[]): Promise<void>
}

export interface ReadAheadOptions {
  /** From this many milliseconds on reading a skill is slow. */
  slowMs?: number
  /** How a file is opened; Node's own, but for tests that count. */
  openFile?: typeof open
}

/** From the system's memory a file is read in a twentieth of that. */
const SLOW_MS = 0.3
/** So many more slow ones than quick ones: a program that is busy makes one slow now and then. */
const DUE = 4
/** Read before the look goes on. */
const FILES = 512
const IN_FLIGHT = 64
const HEAD = 4096
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * A cold disk answers many questions at once several times as fast as one after the other; a warm one does not, and then
 * nothing is done (`performance.md` 0, decision 3). What is read here is thrown away: the look reads it again, with all
 * its checks, from the system's memory.
 */
export function createReadAhead({ slowMs = SLOW_MS, openFile = open }: ReadAheadOptions = {}): ReadAhead {
  let slow = 0
  /** Read and not looked at yet: no file is read ahead twice, also where that is of no use. */
  let ready = 0
  return {
    probed(ms) {
      ready -= 1
      slow = Math.max(0, slow + (ms >= slowMs ? 1 : -1))
    },
    isDue: () => slow >= DUE && ready <= 0,
    async read(stack) {
      slow = 0
      const paths = stack
        .slice(-FILES)
        .filter(({ link, is }) => !link && is === null)
        .map(({ real }) => `${real}${sep}SKILL.md`)
      ready = paths.length
      await Promise.all(Array.from({ length: IN_FLIGHT }, () => readAll(paths, openFile)))
    },
  }
}

async function readAll(paths: string[], openFile: typeof open): Promise<void> {
  const buffer = Buffer.allocUnsafe(HEAD)
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    await readHead(path, buffer, openFile)
  }
}

async function readHead(path: string, buffer: Buffer, openFile: typeof open): Promise<void> {
  try {
    const file = await openFile(path, READ)
    try {
      if ((await file.stat()).isFile()) await file.read(buffer, 0, HEAD, 0)
    } finally {
      await file.close()
    }
  } catch {
    // Missing, a link or not to be read: the look says what it is.
  }
}
