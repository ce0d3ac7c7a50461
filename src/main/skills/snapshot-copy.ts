import { createHash, randomBytes } from 'node:crypto'
import { constants, realpathSync, statSync } from 'node:fs'
import { chmod, mkdir, open, readdir, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '@shared/errors'
import { scriptKind } from '@shared/script-kind'
import type { TreeFile } from './tree'
import type { DigestFile } from './tree-digest'

/** Largest skill that is copied (`format.md` 2.4: the largest known has 14.7 MB and 1,104 files). */
export const MAX_TREE_BYTES = 100 * 1024 * 1024
export const MAX_TREE_FILES = 10_000

const CHUNK = 256 * 1024
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Thrown when a file is not any more what the listing said; the caller lists again. */
export class Moved extends Error {}

/**
 * Copies files into an empty folder of the app's own and gives the hashes of what was written, so that the digest is
 * of the copy whatever happens to the original meanwhile. Throws `Moved` when a file was swapped for a link, moved or
 * deleted, and `too_large` above 100 MB.
 */
export async function copyTree(files: readonly TreeFile[], into: string): Promise<DigestFile[]> {
  const copied: DigestFile[] = []
  let total = 0
  for (const file of files) {
    const to = join(into, ...file.path.split('/'))
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    const entry = await withFile(file, async (from) => {
      const target = await open(to, 'wx', 0o600)
      try {
        return await pump(from, { max: MAX_TREE_BYTES - total, write: (chunk) => target.writeFile(chunk) })
      } finally {
        await target.close()
      }
    })
    total += entry.size
    copied.push({ path: file.path, executable: file.executable, size: entry.size, sha256: entry.sha256 })
    await chmod(to, file.executable || scriptKind(file.path, entry.firstLine) ? 0o555 : 0o444)
  }
  return copied
}

/** The same hashes without a copy. */
export async function hashTree(files: readonly TreeFile[]): Promise<DigestFile[]> {
  const hashed: DigestFile[] = []
  let total = 0
  for (const file of files) {
    const entry = await withFile(file, (from) => pump(from, { max: MAX_TREE_BYTES - total }))
    total += entry.size
    hashed.push({ path: file.path, executable: file.executable, size: entry.size, sha256: entry.sha256 })
  }
  return hashed
}

/** Makes every folder read-only, the innermost first. */
export async function sealFolders(dir: string): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) await sealFolders(join(dir, entry.name))
  }
  await chmod(dir, 0o555)
}

/** Deletes a folder whose folders may be read-only. */
export async function removeSealed(dir: string): Promise<void> {
  await unseal(dir)
  await rm(dir, { recursive: true, force: true })
}

/** A name for a folder under way, never that of a snapshot. */
export function tempName(): string {
  return `.tmp-${randomBytes(8).toString('hex')}`
}

export function treeTooLarge(name: string): AppError {
  return new AppError(
    'too_large',
    `The skill "${name}" has more than ${MAX_TREE_FILES} files or 100 MB. Remove what it does not need, such as node_modules.`,
  )
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
    if (size === 0) firstLine = chunk.subarray(0, 256).toString('utf8').split('\n', 1)[0]!
    size += bytesRead
    if (size > to.max) throw new AppError('too_large', 'over the limit')
    hash.update(chunk)
    await to.write?.(chunk)
  }
}
