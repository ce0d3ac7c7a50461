import {
  cpSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PROTECTED_PATHS } from '../../lib/protected-paths'

/*
 * The protected paths (SB-5) are mounted read-only, whether they exist or not. What does not exist is covered first: an
 * empty folder is made in its place, because a mount needs one. A folder also where a file is usual: git does not see
 * empty folders, and removing one can't cost anybody a byte. The run's journal names its covers; they go when no run of
 * this project needs them any more, after a crash at the next start (ADR 0021).
 *
 * No mount can cover a link, or a place where no folder can be made. Those are guarded: looked at after the run, when
 * none of its processes is left. What a script made there is moved to the quarantine and said.
 */

/** A protected path that no mount can cover: it is absent, or a link with this target. */
export const Guard = z.object({ path: z.string(), link: z.string().nullable() })
export type Guard = z.infer<typeof Guard>

/** Read-only mounts over the protected paths, after the mount of the workspace itself. */
export function protectedMounts(workspace: string, covers: readonly string[]): string[] {
  const real = PROTECTED_PATHS.filter((path) => looksLike(workspace, path).kind === 'real')
  const git = covers.includes('.git') ? null : lstatSync(join(workspace, '.git'), { throwIfNoEntry: false })
  // A folder that is a mount itself can't be renamed: else a script moves .git away and makes its own.
  const pinned = git?.isDirectory() ? ['--bind', join(workspace, '.git'), join(workspace, '.git')] : []
  const file = git?.isFile() ? ['.git'] : []
  const readOnly = new Set([...file, ...covers, ...real])
  return [
    ...pinned,
    ...[...readOnly].flatMap((path) => ['--ro-bind', join(workspace, path), join(workspace, path)]),
  ]
}

/** What is missing of the protected paths: the folders to make so that each can be covered. */
export function missingCovers(workspace: string): string[] {
  const missing = PROTECTED_PATHS.flatMap((path) => {
    const seen = looksLike(workspace, path)
    // A folder in the place of the settings would be an error to git for as long as the run lasts.
    return seen.kind === 'absent' && seen.missing !== '.git/config' ? [seen.missing] : []
  })
  return [...new Set(missing)]
}

/** Makes the folders that can be made, and gives them. Throws when the disk is full. */
export function makeCovers(workspace: string, missing: readonly string[]): string[] {
  return missing.filter((path) => {
    try {
      mkdirSync(join(workspace, path), { mode: 0o555 })
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Somebody made it just now; it is mounted read-only like everything that exists.
      if (code === 'EEXIST') return false
      // The script, who is the same person, can't make it either; it is guarded.
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
      throw error
    }
  })
}

/** Removes covers that nobody filled, and gives those that are more than an empty folder by now. */
export function removeCovers(workspace: string, covers: readonly string[]): string[] {
  const innermostFirst = covers.toSorted((a, b) => b.length - a.length)
  return innermostFirst.filter((path) => {
    try {
      rmdirSync(join(workspace, path))
      return false
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ENOENT'
    }
  })
}

/** The protected paths that are to be looked at after the run. */
export function guardsOf(workspace: string): Guard[] {
  return PROTECTED_PATHS.flatMap((path) => {
    const seen = looksLike(workspace, path)
    return seen.kind === 'absent' || seen.kind === 'link' ? [{ path: seen.path, link: seen.link }] : []
  }).filter((guard, index, all) => all.findIndex((other) => other.path === guard.path) === index)
}

/**
 * Moves what a script made at a guarded path to `quarantine`, puts changed links back, and gives the paths it moved.
 * Only when no process of the run is left: nobody can then swap a folder under our feet.
 */
export function settleGuards(workspace: string, guards: readonly Guard[], quarantine: string): string[] {
  return guards.flatMap((guard) => {
    const made = guard.link === null ? whatWasMade(workspace, guard.path) : changedLink(workspace, guard)
    if (made === null) return []
    moveAway(join(workspace, made), join(quarantine, made))
    if (guard.link !== null) symlinkSync(guard.link, join(workspace, guard.path))
    return [made]
  })
}

type Look =
  | { kind: 'real' }
  /** `path` is a file where a folder was expected (.git of a worktree): what is below can't exist. */
  | { kind: 'covered'; path: string }
  /** The path is missing, from its part `missing` on. */
  | { kind: 'absent'; path: string; missing: string; link: null }
  /** `path` is the first part of it that is a link. */
  | { kind: 'link'; path: string; link: string }

/** Walks without following links: a link in the way is what has to be guarded. */
function looksLike(workspace: string, path: string): Look {
  const parts = path.split('/')
  for (let count = 1; count <= parts.length; count += 1) {
    const part = parts.slice(0, count).join('/')
    const stat = lstatSync(join(workspace, part), { throwIfNoEntry: false })
    if (!stat) return { kind: 'absent', path, missing: part, link: null }
    if (stat.isSymbolicLink()) return { kind: 'link', path: part, link: readlinkSync(join(workspace, part)) }
    if (count < parts.length && !stat.isDirectory()) return { kind: 'covered', path: part }
  }
  return { kind: 'real' }
}

function whatWasMade(workspace: string, path: string): string | null {
  const now = looksLike(workspace, path)
  if (now.kind === 'absent') return null
  return now.kind === 'real' ? path : now.path
}

function changedLink(workspace: string, guard: Guard): string | null {
  const stat = lstatSync(join(workspace, guard.path), { throwIfNoEntry: false })
  if (stat?.isSymbolicLink() && readlinkSync(join(workspace, guard.path)) === guard.link) return null
  return guard.path
}

function moveAway(from: string, to: string): void {
  if (!lstatSync(from, { throwIfNoEntry: false })) return
  mkdirSync(join(to, '..'), { recursive: true, mode: 0o700 })
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    rmSync(from, { recursive: true, force: true })
  }
}
