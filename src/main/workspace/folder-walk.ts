import { constants } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/errors'

/** A folder that stays the same one, whatever is renamed or linked meanwhile. */
export interface OpenFolder {
  /** Path of an entry, for calls that follow no link. */
  at(name: string): string
  close(): Promise<void>
}

/** A folder in an open one, which stays open. Throws as the system does. */
export async function openChild(folder: OpenFolder, name: string): Promise<OpenFolder> {
  const path = folder.at(name)
  return opened(path, path)
}

/** Missing on Windows, where opening a folder fails anyhow and paths are used. */
const FOLDER = (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | constants.O_RDONLY
const HAS_PROC = process.platform === 'linux'

/**
 * Opens a folder below `root` step by step, following no link, so that a folder swapped for a link while we work can't
 * lead out (`security.md` A37, A38). `make`: missing ones are made. Throws `not_found` and `path_escape`.
 */
export async function openFolder(
  root: string,
  segments: readonly string[],
  make = false,
): Promise<OpenFolder> {
  let folder = await opened(root, root)
  for (const [index, name] of segments.entries()) {
    const shown = segments.slice(0, index + 1).join('/')
    try {
      const path = folder.at(name)
      if (make) await makeFolder(path)
      const next = await opened(path, join(root, shown))
      await folder.close()
      folder = next
    } catch (error) {
      await folder.close()
      throw explained(error, shown)
    }
  }
  return folder
}

async function opened(path: string, plain: string): Promise<OpenFolder> {
  const handle: FileHandle = await open(path, FOLDER)
  const base = HAS_PROC ? `/proc/self/fd/${handle.fd}` : plain
  return { at: (name) => join(base, name), close: () => handle.close() }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function explained(error: unknown, shown: string): unknown {
  const code = codeOf(error)
  if (code === 'ENOENT')
    return new AppError('not_found', `There is no folder "${shown}". Glob lists what there is.`)
  if (code === 'ELOOP' || code === 'ENOTDIR') {
    return new AppError('path_escape', `"${shown}" is not a folder, or became a link. Nothing was done.`)
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new AppError('bad_input', `"${shown}" can't be opened: access is refused. Tell the person.`)
  }
  return error
}

/** The `code` of an error of Node's file functions. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
