import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { z } from 'zod'
import { codeOf } from './codes'

/** Puts a small file in the place of an older one: after a crash or a power loss there is the one or the other. */
export function writeDurable(file: string, value: unknown): void {
  const temporary = `${file}.tmp`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const fd = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(fd, JSON.stringify(value))
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, file)
  syncFolder(dirname(file))
}

/** What came into being in a folder, or went, is on the disk. */
export function syncFolder(dir: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(dir, 'r')
  try {
    fsyncSync(fd)
  } catch (error) {
    // Some file systems sync no folders: what can be done is done.
    if (codeOf(error) !== 'EINVAL') throw error
  } finally {
    closeSync(fd)
  }
}

/** null: there is none, or it can't be understood. */
export function readDurable<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null
  } catch {
    return null // not there, or not written by Satchel
  }
}

/** All that a folder of such files holds; leftovers of a write that was broken off are removed. */
export function readAllDurable<T>(dir: string, schema: z.ZodType<T>): T[] {
  return namesIn(dir).flatMap((name) => {
    if (name.endsWith('.tmp')) rmSync(join(dir, name), { force: true })
    const read = name.endsWith('.json') ? readDurable(join(dir, name), schema) : null
    return read === null ? [] : [read]
  })
}

export function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
