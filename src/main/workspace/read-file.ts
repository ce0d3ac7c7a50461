import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { AppError } from '@shared/errors'
import { sha256 } from '../lib/hash'
import { codeOf, openFolder } from './folder-walk'
import type { Place } from './place'

/** A file of a workspace, read whole. */
export interface ReadFile {
  bytes: Buffer
  sha256: string
  /** Permission bits and owner. */
  keeps: { mode: number; uid: number; gid: number }
  /** More than one: the file has other names, perhaps outside the workspace. */
  links: number
}

/** Opens without waiting, so that a FIFO can't hang the app, and follows no link (`security.md` A43). */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Reads a regular file of at most `max` bytes. Throws `not_found`, `bad_input`, `too_large`, `path_escape`. */
export async function readFileAt(place: Place, max: number): Promise<ReadFile> {
  const name = place.segments.at(-1)
  if (name === undefined) throw notAFile(place.path)
  const folder = await openFolder(place.workspace.root, place.segments.slice(0, -1))
  try {
    const file = await open(folder.at(name), READ)
    try {
      const stat = await file.stat()
      if (!stat.isFile()) throw notAFile(place.path)
      if (stat.size > max) throw tooLarge(place.path, stat.size, max)
      const bytes = await file.readFile()
      if (bytes.length > max) throw tooLarge(place.path, bytes.length, max)
      const { mode, uid, gid, nlink } = stat
      return { bytes, sha256: sha256(bytes), keeps: { mode: mode & 0o7777, uid, gid }, links: nlink }
    } finally {
      await file.close()
    }
  } catch (error) {
    throw explained(error, place.path)
  } finally {
    await folder.close()
  }
}

function notAFile(path: string): AppError {
  return new AppError('bad_input', `"${path}" is not a file. Glob lists the files of a folder.`)
}

function tooLarge(path: string, size: number, max: number): AppError {
  return new AppError(
    'too_large',
    `"${path}" has ${size} bytes; more than ${max} are not read. Look into it with Grep or a command instead.`,
  )
}

function explained(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (code === 'ENOENT') {
    return new AppError('not_found', `There is no file "${path}" in the project. Glob lists what there is.`)
  }
  if (code === 'ELOOP') return new AppError('path_escape', `"${path}" became a link. Nothing was read.`)
  if (code === 'ENXIO' || code === 'ENODEV' || code === 'EOPNOTSUPP') return notAFile(path)
  if (code === 'EACCES' || code === 'EPERM') {
    return new AppError('bad_input', `"${path}" can't be opened: access is refused. Tell the person.`)
  }
  return error
}
