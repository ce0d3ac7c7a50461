import { lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/*
 * Of a protected place that nobody looked at before a run it is asked afterwards whether it may be the script's. The
 * time of the last change of an entry is the file system's own: no script can set it, and renaming changes it too, while
 * the time that a folder was made stays when it gets a name that is trusted (ADR 0055).
 */

/** What leads git to programs; what a commit or `git status` changes is not among it. */
const OF_GIT = ['config', 'config.worktree', 'commondir', 'gitdir', 'hooks', 'info']

/** When a file was made, milliseconds; where the file system does not keep that (NFS), when it was written last. */
export function madeAt(file: string): number {
  const { birthtimeMs, ctimeMs } = statSync(file)
  return birthtimeMs > 0 ? birthtimeMs : ctimeMs
}

/** True for what was made at a moment or later, milliseconds; not where the file system does not keep that. */
export function isBornAfter(born: string | undefined, moment: number): boolean {
  return born !== undefined && born !== '' && Number(born) / 1e6 >= moment
}

/** True for what was made, renamed or changed since then, milliseconds, as far as something is trusted in it. */
export function isChangedSince(place: string, since: number): boolean {
  const isLate = (path: string) => (lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0) >= since
  if (!lstatSync(place, { throwIfNoEntry: false })?.isDirectory() && basename(place) !== 'HEAD')
    return isLate(place)
  // A rename changes the folder around it too; what git does in its own folder does not.
  return (isLate(place) && isLate(dirname(place))) || trustedIn(place).some(isLate)
}

function trustedIn(place: string): string[] {
  if (basename(place) === 'HEAD') return ofGit(dirname(place))
  const below = entriesOf(place)
  return below.includes(join(place, 'HEAD')) ? ofGit(place) : below
}

function ofGit(folder: string): string[] {
  return OF_GIT.map((name) => join(folder, name)).flatMap((path) => [path, ...entriesOf(path)])
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    // No folder, or closed: then its own time counts.
    return []
  }
}
