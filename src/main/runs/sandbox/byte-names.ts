import { isUtf8 } from 'node:buffer'
import { readdirSync, renameSync } from 'node:fs'
import { AppError } from '@shared/errors'

/*
 * On Linux a name is bytes. One that is not UTF-8 has no path here: what reads it as text asks for another name and
 * takes it for gone. So it is never read as text: a project that holds such a folder runs nothing, and one that a run
 * made is moved away by its bytes (ADR 0054).
 */

/** An entry of a folder; `bytes` where its name is not UTF-8, and `name` is then only to be shown. */
export interface Listed {
  name: string
  isFolder: boolean
  bytes: Buffer | null
}

/** What bytes that are not UTF-8 are read as where a text is expected: the place that they lead to is unknown. */
export const NOT_TEXT = '\uFFFD'

/** What is in a folder. Throws as `readdir` does. */
export function list(folder: string): Listed[] {
  return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
    name: shown(entry.name),
    isFolder: entry.isDirectory(),
    bytes: isUtf8(entry.name) ? null : entry.name,
  }))
}

/** As UTF-8, else each byte outside of ASCII as `\xE9`, so that two names never look the same. */
export function shown(name: Buffer): string {
  if (isUtf8(name)) return name.toString('utf8')
  return [...name].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : escaped(byte))).join('')
}

function escaped(byte: number): string {
  return `\\x${byte.toString(16).toUpperCase()}`
}

/** Gives an entry a name that is text, in the same folder; false: it is not there any more. */
export function renameBytes(folder: string, from: Buffer, to: string): boolean {
  try {
    renameSync(Buffer.concat([Buffer.from(`${folder}/`), from]), `${folder}/${to}`)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Nothing runs where a name can't be covered. */
export function refuseName(path: string): never {
  throw new AppError(
    'sandbox_failed',
    `The project holds a name that is not UTF-8: "${path}". What is in there can't be kept from a script. ` +
      'Nothing ran. Rename it, or set the sandbox to reading under Settings.',
    { path },
  )
}
