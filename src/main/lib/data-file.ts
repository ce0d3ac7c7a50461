import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { parse } from 'yaml'

/** What a small JSON or YAML file holds. `reason` is one sentence. */
export type DataFile =
  | { state: 'read'; value: unknown; bytes: Buffer }
  | { state: 'missing' }
  | { state: 'broken'; reason: string }

/** Opens without waiting: a FIFO that has the name of a file must not hang the app (`security.md` A43). */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
const MAX_ALIASES = 50

/** Reads a file of at most `max` bytes; YAML where its name ends so, else JSON. Never throws. */
export function readDataFile(path: string, max: number): DataFile {
  try {
    // An error costs ten times as much, and most files that may be there are not.
    if (!statSync(path, { throwIfNoEntry: false })) return { state: 'missing' }
    const bytes = readRegular(path, max)
    if (bytes === null) return { state: 'broken', reason: `It is not a file of at most ${max / 1024} kB.` }
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
    const value: unknown = /\.ya?ml$/i.test(path)
      ? parse(text, { version: '1.2', schema: 'core', maxAliasCount: MAX_ALIASES, logLevel: 'error' })
      : JSON.parse(text)
    return { state: 'read', value, bytes }
  } catch (error) {
    return failed(error)
  }
}

/** The bytes of a regular file; null when it is none, or larger than `max`. Throws what Node throws. */
export function readRegular(path: string, max: number): Buffer | null {
  const fd = openSync(path, READ)
  try {
    const stat = fstatSync(fd)
    return stat.isFile() && stat.size <= max ? readFileSync(fd) : null
  } finally {
    closeSync(fd)
  }
}

function failed(error: unknown): DataFile {
  const code = (error as { code?: unknown } | null)?.code
  if (code === 'ENOENT' || code === 'ENOTDIR') return { state: 'missing' }
  const isText = error instanceof SyntaxError || (error instanceof Error && error.name.startsWith('YAML'))
  const reason = isText
    ? `It can't be understood: ${error.message.split('\n', 1)[0]!.replace(/[.:]$/, '')}.`
    : 'It can not be read.'
  return { state: 'broken', reason }
}
