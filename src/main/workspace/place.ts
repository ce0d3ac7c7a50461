import { lstat, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { AppError } from '@shared/errors'
import { PATH_RULES, type PathRule } from '@shared/paths'
import { isInside } from '../lib/contain'
import { isProtected } from '../lib/protected-paths'
import { codeOf } from './folder-walk'

/** The folder in which a chat's tools work. */
export interface Workspace {
  /** Real path. */
  root: string
  /** Real paths of the app's own data: no tool sees them, also where the workspace holds them. */
  hidden: readonly string[]
}

/** A path inside a workspace; none of its parts was a link when this was made. */
export interface Place {
  workspace: Workspace
  segments: readonly string[]
  /** Relative to the workspace, with /; "." for the workspace itself. */
  path: string
  exists: boolean
}

const MAX_PATH = 4096

/**
 * Where a path that a model gave leads: relative to the workspace, or absolute and inside it. Links are followed as long
 * as they stay inside. Throws `path_escape` for everything else.
 */
export async function locate(workspace: Workspace, asked: string): Promise<Place> {
  const reason = RULES.find(([pattern]) => pattern.test(asked))?.[1]
  if (reason) throw refused(asked, reason)
  if (asked.length > MAX_PATH) throw refused(asked, `it is longer than ${MAX_PATH} characters`)
  const { real, exists } = await realOf(asked, isAbsolute(asked) ? asked : join(workspace.root, asked))
  if (!isInside(workspace.root, real)) throw refused(asked, 'it leads out of the project')
  const { hidden, root } = workspace
  if (hidden.some((folder) => isInside(folder, real) && !isInside(folder, root))) {
    throw refused(asked, "it leads into Satchel's own data")
  }
  const way = relative(root, real)
  const segments = way === '' ? [] : way.split(sep)
  return { workspace, segments, path: segments.join('/') || '.', exists }
}

/** The same for a file that would be written: never what programs trust (SB-5), by its own name or by a link. */
export async function locateForWriting(workspace: Workspace, asked: string): Promise<Place> {
  const place = await locate(workspace, asked)
  if (place.segments.length === 0)
    throw new AppError('bad_input', 'Name a file, not the folder of the project.')
  const plain = isAbsolute(asked) ? relative(workspace.root, asked) : asked
  if (isProtected(place.path) || isProtected(plain)) {
    throw new AppError(
      'path_escape',
      `${shown(asked)} can't be written: git, editors, shells and agents trust what stands there. Tell the person what it should say, so that they change it themselves.`,
    )
  }
  return place
}

export async function isFolderAt({ workspace, segments }: Place): Promise<boolean> {
  try {
    return (await lstat(join(workspace.root, ...segments))).isDirectory()
  } catch {
    return false // not there, or it can't be looked at: opening it will say why
  }
}

const RULES: readonly PathRule[] = [
  [/^$/, 'it is empty'],
  PATH_RULES.control,
  PATH_RULES.home,
  PATH_RULES.backslash,
  PATH_RULES.up,
]

/** The real path of what exists of it, and the rest as it is. */
async function realOf(asked: string, path: string): Promise<{ real: string; exists: boolean }> {
  try {
    return { real: await realpath(path), exists: true }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ELOOP') throw refused(asked, 'it is a link that leads back')
    if (code === 'ENAMETOOLONG') throw refused(asked, 'a name in it is too long')
    if (code === 'EACCES') throw refused(asked, 'access is refused')
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
  if (await isThere(path)) throw refused(asked, 'it is a link that leads nowhere')
  const parent = dirname(path)
  if (parent === path) return { real: path, exists: false }
  const { real } = await realOf(asked, parent)
  return { real: join(real, path.slice(parent.length)), exists: false }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch {
    return false // ENOENT is what is asked for; where it can't be looked at, opening will say why
  }
}

function refused(asked: string, reason: string): AppError {
  return new AppError(
    'path_escape',
    `The path ${shown(asked)} is refused: ${reason}. Give a path inside the project, relative to it, such as "notes/today.md".`,
  )
}

function shown(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
}
