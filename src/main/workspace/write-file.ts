import { constants } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/errors'
import { faultPoint } from '../lib/fault-point'
import { beginWrite } from './begun-writes'
import { codeOf, openFolder, type OpenFolder } from './folder-walk'
import type { Place } from './place'
import { readFileAt } from './read-file'

export interface NewContents {
  bytes: Uint8Array
  /** sha256 of the file as it must be now; null: there must be none. */
  before: string | null
  /** Of the file that is replaced; null: those of a new one. */
  keeps: { mode: number; uid: number; gid: number } | null
  /** The app's folder for notes of what is begun (`removeLeftWrites`). */
  notes: string
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/**
 * Replaces a file in one step: it has the old contents or the new ones, never a part, also on a full disk. Folders that
 * miss are made. `commit` is called when all is written but nothing is changed yet; when it throws, nothing is. Throws
 * `stale` when the file is no longer what it was.
 */
export async function writeFileAt(place: Place, contents: NewContents, commit: () => void): Promise<void> {
  const name = place.segments.at(-1)
  if (name === undefined) throw new AppError('bad_input', 'Name a file.')
  const above = place.segments.slice(0, -1)
  const folder = await openFolder(place.workspace.root, above, true)
  const begun = beginWrite(contents.notes, join(place.workspace.root, ...above))
  const temporary = folder.at(begun.name)
  try {
    faultPoint('file.before-write')
    await writeNew(temporary, contents)
    faultPoint('file.after-write')
    await checkUnchanged(place, contents.before)
    commit()
    faultPoint('file.before-rename')
    await rename(temporary, folder.at(name))
    faultPoint('file.after-rename')
    await syncFolder(folder)
  } catch (error) {
    await rm(temporary, { force: true })
    throw explained(error, place.path)
  } finally {
    begun.done()
    await folder.close()
  }
}

async function writeNew(path: string, { bytes, keeps }: NewContents): Promise<void> {
  const file = await open(path, NEW_FILE, 0o666)
  try {
    await file.writeFile(bytes)
    if (keeps) await keepOwner(file, keeps)
    if (keeps) await file.chmod(keeps.mode & 0o777)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Only an administrator can give a file away; for everyone else it is theirs already, or can't be helped. */
async function keepOwner(file: FileHandle, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  if (process.getuid?.() === 0) await file.chown(uid, gid)
}

/** Throws `stale` when the file differs from `before`. */
async function checkUnchanged(place: Place, before: string | null): Promise<void> {
  const now = await digestNow(place)
  if (now === before) return
  throw new AppError(
    'stale',
    `"${place.path}" changed in the meantime, so nothing was written. Read it again, then ask again.`,
  )
}

const NO_LIMIT = 100_000_000

async function digestNow(place: Place): Promise<string | null> {
  try {
    return (await readFileAt(place, NO_LIMIT)).sha256
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

/** The new name outlives a power cut; where folders can't be synced the system does what it does. */
async function syncFolder(folder: OpenFolder): Promise<void> {
  try {
    const handle = await open(folder.at('.'), constants.O_RDONLY)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch {
    // Not every file system syncs folders; the file itself is on disk.
  }
}

function explained(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (code === 'EISDIR' || code === 'ENOTEMPTY') {
    return new AppError('bad_input', `"${path}" is a folder. Nothing was written.`)
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new AppError('bad_input', `"${path}" can't be written: access is refused. Tell the person.`)
  }
  return error
}
