import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Stats } from 'node:fs'

/** Opens without waiting: a FIFO that has the name of a file must not hang the app (`security.md` A43). */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** The first `max` bytes of a regular file, links followed. Throws `ENOTFILE` for anything that is no file. */
export function readStart(path: string, max: number): Buffer {
  const fd = openSync(path, READ)
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw Object.assign(new Error(`${path} is not a regular file`), { code: 'ENOTFILE' })
    const bytes = Buffer.alloc(Math.min(stat.size, max))
    return bytes.subarray(0, fill(fd, bytes, stat.size))
  } finally {
    closeSync(fd)
  }
}

/** What was opened, and how much of it was read into the buffer; `length` is 0 for what is no regular file. */
export interface Opened {
  stat: Stats
  length: number
}

/**
 * Opens a path that must be no link and reads as much as fits into `into`. Throws `ELOOP` for a link where the system
 * can tell (everywhere but on Windows).
 */
export function readInto(path: string, into: Buffer): Opened {
  const fd = openSync(path, READ | (constants.O_NOFOLLOW ?? 0))
  try {
    const stat = fstatSync(fd)
    return { stat, length: stat.isFile() ? fill(fd, into, stat.size) : 0 }
  } finally {
    closeSync(fd)
  }
}

/** A file that has its whole `size` in the buffer is not asked once more whether it ends there. */
function fill(fd: number, into: Buffer, size: number): number {
  let length = 0
  while (length < into.length) {
    const read = readSync(fd, into, length, into.length - length, length)
    length += read
    if (read === 0 || length === size) break
  }
  return length
}

/** The `code` of an error of Node's file functions. */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
