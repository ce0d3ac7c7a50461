import { realpathSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'

/** What is at the path, links followed; null for all that can't be looked at. */
export function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null // in a folder that can't be read, below a file, or a loop of links
  }
}

/** True for a folder, links followed. */
export function isFolder(dir: string): boolean {
  return statOrNull(dir)?.isDirectory() ?? false
}

/** The path without links; as it is where it leads nowhere. */
export function realOrSelf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // gone: what lies below it is missing too
  }
}
