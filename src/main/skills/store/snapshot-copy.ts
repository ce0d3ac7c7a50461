import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { chmod, open, readdir, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '@shared/errors'
import { scriptKind } from '@shared/script-kind'
import { makerMark } from '../../lib/maker'
import { sha256 } from '../../lib/hash'
import type { TreeFile } from './tree'
import type { DigestFile } from './tree-digest'

/** Largest skill that is copied (`format.md` 2.4: the largest known has 14.7 MB and 1,104 files). */
export const MAX_TREE_BYTES = 100 * 1024 * 1024
export const MAX_TREE_FILES = 10_000

/**
 * Bytes of one read. Files below that are read in one go: a call of its own in a thread pool for each step of a small
 * file takes many times as long as the file.
 */
const CHUNK = 256 * 1024
/** Milliseconds of work after which other work is let in. */
const SLICE_MS = 4
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const scratch = Buffer.allocUnsafe(CHUNK)

/** Thrown when a file is not any more what the listing said; the caller lists again. */
export class Moved extends Error {}

/**
 * Copies files into an empty folder of the app's own and gives the hashes of what was written, so that the digest is
 * of the copy whatever happens to the original meanwhile. Throws `Moved` when a file was swapped for a link, moved or
 * deleted, and `too_large` above 100 MB.
 */
export function copyTree(files: readonly TreeFile[], into: string): Promise<DigestFile[]> {
  const made = new Set<string>()
  return eachFile(files, (file, max) => {
    const to = join(into, ...file.path.split('/'))
    const dir = dirname(to)
    if (!made.has(dir)) mkdirSync(dir, { recursive: true, mode: 0o700 })
    made.add(dir)
    return copySmall(file, to, max) ?? copyLarge(file, to, max)
  })
}

/** The same hashes without a copy. */
export function hashTree(files: readonly TreeFile[]): Promise<DigestFile[]> {
  return eachFile(files, (file, max) => {
    const bytes = readSmall(file, max)
    return bytes ? pumpedOf(bytes) : withFile(file, (from) => pump(from, { max }))
  })
}

/** Makes every folder read-only, the innermost first. */
export async function sealFolders(dir: string): Promise<void> {
  const pause = slices()
  const folders = [dir]
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) folders.push(join(folder, entry.name))
    }
    await pause()
  }
  for (const folder of folders.reverse()) {
    chmodSync(folder, 0o555)
    await pause()
  }
}

/** Deletes a folder whose folders may be read-only. */
export async function removeSealed(dir: string): Promise<void> {
  await unseal(dir)
  await rm(dir, { recursive: true, force: true })
}

/** A name for a folder under way, never that of a snapshot. */
export function tempName(): string {
  return `.tmp-${makerMark()}`
}

export function treeTooLarge(name: string): AppError {
  return new AppError(
    'too_large',
    `The skill "${name}" has more than ${MAX_TREE_FILES} files or 100 MB. Remove what it does not need, such as node_modules.`,
  )
}

type Work = (file: TreeFile, max: number) => Pumped | Promise<Pumped>

/** One file after the other, at most 100 MB in all, never long in one go. */
async function eachFile(files: readonly TreeFile[], work: Work): Promise<DigestFile[]> {
  const done: DigestFile[] = []
  const pause = slices()
  let total = 0
  for (const file of files) {
    const worked = work(file, MAX_TREE_BYTES - total)
    const { size, sha256: hash } = worked instanceof Promise ? await worked : worked
    total += size
    done.push({ path: file.path, executable: file.executable, size, sha256: hash })
    await pause()
  }
  return done
}

/** Lets other work in when a slice is over, else goes on at once. */
function slices(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined
    return setImmediate().then(() => void (since = performance.now()))
  }
}

function copySmall(file: TreeFile, to: string, max: number): Pumped | null {
  const bytes = readSmall(file, max)
  if (!bytes) return null
  const pumped = pumpedOf(bytes)
  const fd = openSync(to, 'wx', 0o600)
  try {
    writeFileSync(fd, bytes)
    fchmodSync(fd, modeOf(file, pumped))
  } finally {
    closeSync(fd)
  }
  return pumped
}

async function copyLarge(file: TreeFile, to: string, max: number): Promise<Pumped> {
  const pumped = await withFile(file, async (from) => {
    const target = await open(to, 'wx', 0o600)
    try {
      return await pump(from, { max, write: (chunk) => target.writeFile(chunk) })
    } finally {
      await target.close()
    }
  })
  await chmod(to, modeOf(file, pumped))
  return pumped
}

function modeOf(file: TreeFile, { firstLine }: Pumped): number {
  return file.executable || scriptKind(file.path, firstLine) ? 0o555 : 0o444
}

/** The whole file, only valid until the next call; null when it is too large for that. Checks what `withFile` does. */
function readSmall(file: TreeFile, max: number): Buffer | null {
  if (file.size >= CHUNK) return null
  const fd = openNow(file)
  try {
    const opened = fstatSync(fd)
    if (!opened.isFile() || !isStillAt(file.real, opened)) throw new Moved(file.path)
    let length = 0
    for (let read = -1; read !== 0 && length < CHUNK;) {
      read = readSync(fd, scratch, length, CHUNK - length, null)
      length += read
    }
    if (length > max) throw overLimit()
    return length < CHUNK ? scratch.subarray(0, length) : null
  } finally {
    closeSync(fd)
  }
}

function openNow(file: TreeFile): number {
  try {
    return openSync(file.real, READ)
  } catch (error) {
    throw new Moved(file.path, { cause: error })
  }
}

function pumpedOf(bytes: Buffer): Pumped {
  return { size: bytes.length, sha256: sha256(bytes), firstLine: firstLineOf(bytes) }
}

function firstLineOf(bytes: Buffer): string {
  return bytes.subarray(0, 256).toString('utf8').split('\n', 1)[0]!
}

function overLimit(): AppError {
  return new AppError('too_large', 'over the limit')
}

async function unseal(dir: string): Promise<void> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => [])
  if (entries.length > 0) await chmod(dir, 0o700)
  for (const entry of entries) if (entry.isDirectory()) await unseal(join(dir, entry.name))
}

/**
 * Opens a file at its real path without following a link, and makes sure that the path still has no link in any part:
 * a folder swapped for a link between listing and opening must not lead out of the skill.
 */
async function withFile<T>(file: TreeFile, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file.real, READ).catch((error: unknown) => {
    throw new Moved(file.path, { cause: error })
  })
  try {
    const opened = await handle.stat()
    const same = opened.isFile() && isStillAt(file.real, opened)
    if (!same) throw new Moved(file.path)
    return await use(handle)
  } finally {
    await handle.close()
  }
}

function isStillAt(real: string, opened: { dev: number; ino: number }): boolean {
  try {
    const now = statSync(real)
    return realpathSync(real) === real && now.dev === opened.dev && now.ino === opened.ino
  } catch {
    return false // gone meanwhile
  }
}

interface Pumped {
  size: number
  sha256: string
  firstLine: string
}

/** Reads to the end, as much as there is: the size that was listed may be old. */
async function pump(
  from: FileHandle,
  to: { max: number; write?: (chunk: Buffer) => Promise<void> },
): Promise<Pumped> {
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(CHUNK)
  let size = 0
  let firstLine = ''
  for (;;) {
    const { bytesRead } = await from.read(buffer, 0, CHUNK, null)
    if (bytesRead === 0) return { size, sha256: hash.digest('hex'), firstLine }
    const chunk = buffer.subarray(0, bytesRead)
    if (size === 0) firstLine = firstLineOf(chunk)
    size += bytesRead
    if (size > to.max) throw overLimit()
    hash.update(chunk)
    await to.write?.(chunk)
  }
}
