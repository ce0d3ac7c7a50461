import { chmodSync, lstatSync, mkdirSync, realpathSync, renameSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '@shared/errors'
import { foldName } from '@shared/skill-md/skill-name'
import { faultPoint } from '../lib/fault-point'
import { codeOf } from './codes'
import { namesIn, syncFolder } from './durable'

/**
 * Gives a finished folder its place, in one step and only where nothing is: an empty folder is made first, which fails
 * where anything is (in another case too, where the file system does not tell cases apart), and is then taken over,
 * which fails once it holds something. Throws `bad_input` for a taken name. `checkFree` comes right before.
 */
export function putInPlace(from: string, parent: string, name: string): void {
  const to = join(parent, name)
  try {
    if (process.platform !== 'win32') {
      mkdirSync(to, { mode: 0o700 })
      faultPoint('arrange.after-reserve')
    }
    renameFolder(from, to)
  } catch (error) {
    if (['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(codeOf(error))) throw taken(name)
    throw error
  }
  syncFolder(parent)
  if (dirname(from) !== parent) syncFolder(dirname(from))
}

/** An empty folder that a broken-off operation made. One that holds something is not ours to touch. */
export function removeReservation(path: string): void {
  try {
    rmdirSync(path)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST', 'EACCES', 'EPERM'].includes(codeOf(error))) throw error
  }
}

/** Throws for a name that is taken here, also in another case or Unicode form, and for a parent behind a link. */
export function checkFree(parent: string, name: string): void {
  checkReal(parent)
  const folded = foldName(name)
  if (namesIn(parent).some((other) => foldName(other) === folded)) throw taken(name)
}

/** The folder was looked at by its real path: now a part of it may have become a link. */
export function checkReal(dir: string): void {
  let real: string
  try {
    real = realpathSync(dir)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new AppError('not_found', 'The folder is gone. Look again.')
  }
  if (real !== dir) {
    throw new AppError('path_escape', 'A part of the path became a link, so nothing was written there.')
  }
}

/** Where a folder is the same one as before, whatever it is called now; null: nothing is there. */
export function markOf(path: string): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}` : null
}

/** A folder that is closed for writing may not be moved to another one: it is opened for that moment. */
export function renameFolder(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    const stat = lstatSync(from, { throwIfNoEntry: false })
    if (!['EACCES', 'EPERM'].includes(codeOf(error)) || !stat?.isDirectory() || stat.mode & 0o200) throw error
    const mode = stat.mode & 0o7777
    chmodSync(from, mode | 0o700)
    try {
      renameSync(from, to)
    } catch (refused) {
      chmodSync(from, mode)
      throw refused
    }
    chmodSync(to, mode)
  }
}

function taken(name: string): AppError {
  return new AppError(
    'bad_input',
    `There is something called "${name}" in that folder already. Nothing was changed. Choose another name.`,
  )
}
