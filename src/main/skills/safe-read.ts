import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** Opens without waiting: a FIFO that has the name of a file must not hang the app (`security.md` A43). */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** The first `max` bytes of a regular file, links followed. Throws `ENOTFILE` for anything that is no file. */
export function readStart(path: string, max: number): Buffer {
  const fd = openSync(path, READ)
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw Object.assign(new Error(`${path} is not a regular file`), { code: 'ENOTFILE' })
    const bytes = Buffer.alloc(Math.min(stat.size, max))
    let length = 0
    while (length < bytes.length) {
      const read = readSync(fd, bytes, length, bytes.length - length, length)
      if (read === 0) break
      length += read
    }
    return bytes.subarray(0, length)
  } finally {
    closeSync(fd)
  }
}

/** The `code` of an error of Node's file functions. */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
