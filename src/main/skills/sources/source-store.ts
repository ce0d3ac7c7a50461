import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { containRelative } from '@shared/paths'
import { foldName } from '@shared/skill-md/skill-name'
import { AppError } from '@shared/errors'
import { errorCode } from '../store/safe-read'
import { removeSealed, sealFolders, tempName } from '../store/snapshot-copy'

/** Limits of a skill that is unpacked (`management.md` 4.2, ARCHIVE_BOMB). */
export const MAX_SOURCE_FILES = 2000
export const MAX_SOURCE_BYTES = 50 * 1024 * 1024

/** A skill that was written below the app's own data: `dir/name/SKILL.md`. */
export interface StoredSource {
  /** Holds the one folder `name`. */
  dir: string
  name: string
}

/** One file to write; `path` is relative to the skill, with /. */
export interface SourceFile {
  path: string
  executable: boolean
  bytes(): Promise<Uint8Array>
}

/**
 * Writes a skill into `sourcesDir/<id>/<name>/`, read-only, or finds it there: `id` is the hash of what it is made of.
 * It appears whole or not at all, also after a crash or when two programs do it at once.
 */
export async function storeSource(
  place: { sourcesDir: string; id: string; name: string },
  files: readonly SourceFile[],
): Promise<StoredSource> {
  const { sourcesDir, name } = place
  const staging = join(sourcesDir, tempName())
  try {
    for (const file of files) await writeOne(join(staging, name), file)
    await sealFolders(join(staging, name))
    await rename(staging, join(sourcesDir, place.id))
  } catch (error) {
    await removeSealed(staging)
    const done = await storedSource(sourcesDir, place.id)
    if (done) return done // another program was faster
    throw error
  }
  return { dir: join(sourcesDir, place.id), name }
}

/** What `storeSource` wrote earlier; null: nothing. */
export async function storedSource(sourcesDir: string, id: string): Promise<StoredSource | null> {
  const dir = join(sourcesDir, id)
  try {
    const [name, ...others] = await readdir(dir)
    return name === undefined || others.length > 0 ? null : { dir, name }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** SHA-256 of bytes, in hex. */
export function idOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Throws `bad_input` for the first path that could not be written as it is on every system, or would meet another:
 * leading out, names that Windows reserves, two that differ only by case or Unicode form, a file where another one
 * needs a folder (`management.md` 4.2, ARCHIVE_TRAVERSAL, ARCHIVE_NAME, ARCHIVE_DUP). Gives the paths normalised.
 */
export function checkPaths(paths: readonly string[]): string[] {
  const clean = paths.map(checkPath)
  const files = new Set<string>()
  const folders = new Map<string, string>()
  for (const path of clean) {
    const folded = foldName(path)
    if (files.has(folded)) throw refusal(`it holds ${shown(path)} twice, also if only the case differs`)
    files.add(folded)
    for (const folder of foldersOf(path)) {
      const known = folders.get(foldName(folder)) ?? folder
      if (known !== folder) throw refusal(`${shown(folder)} and ${shown(known)} differ only by case`)
      folders.set(foldName(folder), folder)
    }
  }
  const both = clean.find((path) => folders.has(foldName(path)))
  if (both !== undefined) throw refusal(`${shown(both)} is a file and a folder`)
  return clean
}

/** `reason` follows "because". */
export function refusal(reason: string): AppError {
  return new AppError('bad_input', `It is not used, because ${reason}.`)
}

/** A path of an archive as text that is safe to show. */
export function shown(path: string): string {
  return JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}…` : path)
}

/** A legal folder name for a skill that is unpacked. */
export function isSafeName(name: string): boolean {
  return !name.includes('/') && !UNSAFE.test(name) && containable(name) === name
}

const UNSAFE = /(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\/|$)|[<>"|?*]/i

function checkPath(path: string): string {
  const clean = containable(path)
  if (clean === null) throw refusal(`its path ${shown(path)} leads out of it or is not safe on every system`)
  if (UNSAFE.test(clean)) throw refusal(`Windows can't have a file named ${shown(path)}`)
  return clean
}

function containable(path: string): string | null {
  try {
    return containRelative(path)
  } catch {
    return null // the caller says what is wrong in its own words
  }
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

async function writeOne(dir: string, { path, executable, bytes }: SourceFile): Promise<void> {
  const to = join(dir, ...path.split('/'))
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await writeFile(to, await bytes(), { flag: 'wx', mode: executable ? 0o555 : 0o444 })
}
