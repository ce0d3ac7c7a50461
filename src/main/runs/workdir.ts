import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { AppError } from '@shared/errors'
import { isInside } from '../lib/contain'

/** Folders that no run may write to, whatever was opened as a project. */
const SYSTEM = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/sbin', '/sys']
/** Those that hold such folders, but where people also keep sources and mount disks. */
const SHARED = ['/usr', '/run']

/**
 * Real path of a chat's workspace. Throws `not_found` when it is gone and `path_escape` when giving it to a script
 * would give the whole machine or the whole home folder.
 */
export function resolveWorkspace(workspace: string, home: string | undefined): string {
  const real = existing(workspace, 'The project folder')
  const tooWide =
    [...SYSTEM, ...SHARED].some((folder) => isInside(real, folder)) ||
    SYSTEM.some((folder) => isInside(folder, real))
  if (tooWide) escape(`"${real}" can't be the project of a run: it holds parts of the system.`)
  if (home !== undefined && isInside(real, realOrSelf(home))) {
    escape(
      `"${real}" can't be the project of a run: your whole home folder is in it. Open a folder inside it.`,
    )
  }
  return real
}

/**
 * Real path of the folder that a run starts in (A35). Throws `path_escape` for everything outside the workspace, also
 * by links, `not_found` when it doesn't exist, `bad_input` when it is no folder.
 */
export function resolveWorkdir(workspace: string, workdir: string | undefined): string {
  if (workdir === undefined || workdir === '' || workdir === '.') return workspace
  const outside = `"${workdir}" is outside the project. Use a folder inside it, relative to the project.`
  if (workdir.includes('\0') || workdir.startsWith('~')) escape(outside)
  const asked = isAbsolute(workdir) ? workdir : resolve(workspace, workdir)
  if (!isInside(workspace, resolve(asked))) escape(outside)
  const real = existing(asked, `The folder "${workdir}"`)
  if (!isInside(workspace, real)) escape(outside)
  return real
}

/** The installation folder of a program in `bin`; null when mounting it would show more than one installation. */
export function installationPrefix(program: string, home: string | undefined): string | null {
  // Programs of Nix use each other's folders of the store, which holds nothing else.
  if (isInside('/nix/store', program)) return '/nix/store'
  const bin = dirname(program)
  const prefix = dirname(bin)
  if (!/\/s?bin$/.test(bin) || prefix === '/' || dirname(prefix) === '/') return null
  if (home === undefined) return prefix
  const root = realOrSelf(home)
  if (isInside(prefix, root)) return null
  // ~/.local and its like hold keyrings and settings of everything else.
  if (dirname(prefix) === root) return existsSync(join(prefix, 'conda-meta')) ? prefix : null
  return prefix
}

function existing(path: string, what: string): string {
  const real = realpathOrNull(path)
  if (real === null)
    throw new AppError('not_found', `${what} does not exist any more. Check the path.`, { path })
  if (!statSync(real).isDirectory()) throw new AppError('bad_input', `${what} is not a folder.`, { path })
  return real
}

function realpathOrNull(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    // Missing, or in a folder that can't be read: both mean that no run can start there.
    return null
  }
}

function realOrSelf(path: string): string {
  return realpathOrNull(path) ?? path
}

function escape(message: string): never {
  throw new AppError('path_escape', message)
}
