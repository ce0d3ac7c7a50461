import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SkillFileRef } from '@shared/domain/editing'
import { AppError } from '@shared/errors'
import { containRelative } from '@shared/paths'
import { isInside } from '../lib/contain'
import { folderOf, type Editing } from './context'

/**
 * Where a file or folder of a skill really lies on disk, for the file manager and the clipboard; a link inside the
 * skill is followed. Throws `path_escape` for what leads out of the skill, `not_found` for what is not on disk.
 */
export async function whereIs(deps: Editing, { key, path }: SkillFileRef): Promise<string> {
  const { rootDir } = folderOf(deps, key)
  const root = await realOf(rootDir, path)
  const real = await realOf(join(rootDir, containRelative(path)), path)
  if (real !== root && isInside(root, real)) return real
  throw new AppError('path_escape', `"${path}" leads out of the skill, so it is not given from here.`)
}

/** The same of a regular file, to be dragged to another program. Throws `bad_input` for a folder, a pipe, a device. */
export async function draggedFile(deps: Editing, ref: SkillFileRef): Promise<string> {
  const real = await whereIs(deps, ref)
  if ((await stat(real)).isFile()) return real
  throw new AppError('bad_input', `"${ref.path}" is no file, so it can't be dragged.`)
}

async function realOf(path: string, shown: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code)
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP')
      throw new AppError('not_found', `"${shown}" is not on disk. If it was never saved, save it first.`)
    throw new AppError('bad_input', `"${shown}" can't be looked at: ${code}.`)
  }
}
