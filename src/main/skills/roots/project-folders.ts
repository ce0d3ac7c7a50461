import { dirname, join } from 'node:path'
import { statOrNull } from '../scan/on-disk'
import { isInside } from '../../lib/contain'

/**
 * A project's folder and those above it up to the one that holds `.git` (a folder or a file), nearest first; only the
 * folder itself where there is none. Never the home folder or above, and never past a folder of another owner: whoever
 * may write above a project must not be able to put skills into it. Both are real paths.
 */
export function foldersUpToGitRoot(
  dir: string,
  homeDir: string,
  ownerOf: (path: string) => number | undefined = (path) => statOrNull(path)?.uid,
): string[] {
  const owner = ownerOf(dir)
  const dirs: string[] = []
  for (let at = dir; !isInside(at, homeDir); at = dirname(at)) {
    if (owner === undefined || ownerOf(at) !== owner) break
    dirs.push(at)
    if (statOrNull(join(at, '.git'))) return dirs
    if (dirname(at) === at) break
  }
  return [dir]
}
