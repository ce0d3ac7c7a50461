import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import { nativePath, rawPath, type RawPath } from './state'

/** A folder that stays the same one whatever is renamed or linked meanwhile; links are followed nowhere. */
export interface Folder {
  /** An entry, for calls that follow no link. */
  at(name: RawPath): Buffer
  /** Throws as the system does. */
  names(): RawPath[]
  close(): void
}

const FLAGS = (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | constants.O_RDONLY
const HAS_PROC = process.platform === 'linux'

/** Throws as the system does. */
export function openRoot(root: string): Folder {
  return opened(nativePath(rawPath(root)))
}

/** A folder in an open one. Throws as the system does, `ELOOP` or `ENOTDIR` for a link. */
export function openIn(folder: Folder, name: RawPath): Folder {
  return opened(folder.at(name))
}

/** The folder that a path lies in, opened step by step; null: it is not there, or a link is in the way. */
export function openParent(root: string, path: RawPath): Folder | null {
  let folder = openRoot(root)
  for (const name of path.split('/').slice(0, -1)) {
    try {
      const next = openIn(folder, name)
      folder.close()
      folder = next
    } catch (error) {
      folder.close()
      if (isAway(error)) return null
      throw error
    }
  }
  return folder
}

/** Of the entry itself, a link's too; null when it is not there. */
export function lookAt(folder: Folder, name: RawPath): Stats | null {
  try {
    return lstatSync(folder.at(name))
  } catch (error) {
    if (isAway(error)) return null
    throw error
  }
}

export function linkTarget(folder: Folder, name: RawPath): string {
  return readlinkSync(folder.at(name), { encoding: 'buffer' }).toString('latin1')
}

export function nameOf(path: RawPath): RawPath {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Not there, or a part of its path is no folder. */
export function isAway(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error))
}

/** The `code` of an error of the system; '' of any other. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

function opened(path: Buffer): Folder {
  const fd = openSync(path, FLAGS)
  const base = HAS_PROC ? `/proc/self/fd/${fd}` : path.toString('latin1')
  return {
    at: (name) => nativePath(`${base}/${name}`),
    names: () =>
      readdirSync(nativePath(`${base}/.`), { encoding: 'buffer' }).map((b) => b.toString('latin1')),
    close: () => closeSync(fd),
  }
}
