import { cpSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PROTECTED_PATHS } from '../../lib/protected-paths'

/*
 * What exists of the protected paths (SB-5) is mounted read-only. What doesn't exist can't be covered without making
 * it: bubblewrap would leave empty files in the project for the time of the run, seen by every watcher, and for good
 * after a crash. So absent ones are looked at after the run, when none of its processes is left: what a script made is
 * moved to the quarantine and said. A journal in the run's folder does the same after a crash.
 */

/** A protected path that no mount can cover: it is absent, or a link with this target. */
export const Guard = z.object({ path: z.string(), link: z.string().nullable() })
export type Guard = z.infer<typeof Guard>

/** Read-only mounts over the protected paths that exist, after the mount of the workspace itself. */
export function protectedMounts(workspace: string): string[] {
  const real = PROTECTED_PATHS.filter((path) => looksLike(workspace, path).kind === 'real')
  const git = lstatSync(join(workspace, '.git'), { throwIfNoEntry: false })
  // A folder that is a mount itself can't be renamed: else a script moves .git away and makes its own.
  const pinned = git?.isDirectory() ? ['--bind', join(workspace, '.git'), join(workspace, '.git')] : []
  const file = git?.isFile() ? ['--ro-bind', join(workspace, '.git'), join(workspace, '.git')] : []
  return [
    ...pinned,
    ...file,
    ...real.flatMap((path) => ['--ro-bind', join(workspace, path), join(workspace, path)]),
  ]
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
  /** The path itself is missing. */
  | { kind: 'absent'; path: string; link: null }
  /** `path` is the first part of it that is a link. */
  | { kind: 'link'; path: string; link: string }

/** Walks without following links: a link in the way is what has to be guarded. */
function looksLike(workspace: string, path: string): Look {
  const parts = path.split('/')
  for (let count = 1; count <= parts.length; count += 1) {
    const part = parts.slice(0, count).join('/')
    const stat = lstatSync(join(workspace, part), { throwIfNoEntry: false })
    if (!stat) return { kind: 'absent', path, link: null }
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
