import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isInside } from '../main/lib/contain'
import type { World } from './world'

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

/** The shortest way to say where something is: from the current folder, from the home folder, or whole. */
export function displayPath({ cwd, homeDir }: World, path: string): string {
  if (isInside(cwd, path)) return relative(cwd, path).split(sep).join('/') || '.'
  if (isInside(homeDir, path)) return `~/${relative(homeDir, path).split(sep).join('/')}`.replace(/\/$/, '')
  return path
}

/**
 * The folder that counts as the project of `dir`: the nearest one that holds `.satchel`, `.agents` or `.git`; null
 * outside of any. The home folder and those above it are none: its `.satchel` holds the personal skills.
 */
export function projectOf({ homeDir }: World, dir: string): string | null {
  const home = realOr(homeDir)
  const start = realOr(dir)
  for (let at = start; !isInside(at, home); at = dirname(at)) {
    if (['.satchel', '.agents', '.git'].some((name) => existsSync(join(at, name)))) return at
    if (dirname(at) === at) break
  }
  return null
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false // not there, or closed to us
  }
}

export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false // not there, or closed to us
  }
}
