import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isInside } from '../../main/lib/contain'
import { INSTRUCTION_FILES } from '../../main/lib/instructions-file'
import { errorCode } from '../../main/skills/store/safe-read'
import type { World } from '../world'

/** The real path; the path itself where there is nothing. */
export function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // not there, or not readable: who uses it says so
  }
}

/** As it was typed, from the current folder on. */
export function typedPath({ cwd }: World, typed: string): string {
  return resolve(cwd, typed)
}

/** True for what can only be meant as a path: `./x`, `../x`, `~/x`, `/x`, `x/`. */
export function looksLikePath(typed: string): boolean {
  return isAbsolute(typed) || /^(?:\.{1,2}|~)(?:[\\/]|$)/.test(typed) || /[\\/]$/.test(typed)
}

/**
 * The shortest way to say where something is: from the current folder, from the home folder, or whole. From the top of
 * a file system always whole.
 */
export function displayPath({ cwd, homeDir }: World, path: string): string {
  const here = pathFromHere({ cwd }, path)
  if (here !== path) return here
  if (dirname(homeDir) !== homeDir && isInside(homeDir, path))
    return `~/${relative(homeDir, path).split(sep).join('/')}`.replace(/\/$/, '')
  return path
}

/** A path that leads there when it is read from the current folder: relative inside it, else whole. */
export function pathFromHere({ cwd }: Pick<World, 'cwd'>, path: string): string {
  if (dirname(cwd) === cwd || !isInside(cwd, path)) return path
  return relative(cwd, path).split(sep).join('/') || '.'
}

/**
 * The folder that counts as the project of `dir`: the nearest one that holds `.satchel`, `.agents` or `.git`, else
 * instructions for agents (many folders of one project may hold some); null outside of any. The home folder and those
 * above it are none: its `.satchel` holds the personal skills.
 */
export function projectOf(world: World, dir: string): string | null {
  return nearest(world, dir, isProject) ?? nearest(world, dir, (at) => holds(at, INSTRUCTION_FILES))
}

function nearest({ homeDir }: World, dir: string, isWanted: (dir: string) => boolean): string | null {
  const home = realOr(homeDir)
  for (let at = realOr(dir); !isInside(at, home); at = dirname(at)) {
    if (isWanted(at)) return at
    if (dirname(at) === at) break
  }
  return null
}

/** True for a folder that looks like a project: it holds `.satchel`, `.agents` or `.git`. */
export function isProject(dir: string): boolean {
  return holds(dir, ['.satchel', '.agents', '.git'])
}

function holds(dir: string, names: readonly string[]): boolean {
  return names.some((name) => existsSync(join(dir, name)))
}

/** What is at a path, links followed. `closed`: it lies in a folder that may not be entered. */
export type PathKind = 'folder' | 'file' | 'missing' | 'closed'

export function kindOf(path: string): PathKind {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    return isDenied(error) ? 'closed' : 'missing'
  }
}

/** True for an error of Node's file functions that only the rights of the person are the reason of. */
export function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(errorCode(error))
}

/** False for a folder whose entries may not be read. */
export function isListable(dir: string): boolean {
  try {
    readdirSync(dir)
    return true
  } catch {
    return false // whatever the reason is: nothing in it can be found
  }
}

export function isFolder(path: string): boolean {
  return kindOf(path) === 'folder'
}

/** True for a regular file. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false // not there, or closed to us
  }
}
