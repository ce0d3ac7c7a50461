import type { ChangeKind } from '@shared/domain/run-changes'
import { isUntouched } from './keep'
import type { Listing } from './listing'
import type { FileState, RawPath } from './state'

/** One path that differs. `before` and `after` are null where there was nothing. */
export interface Change {
  path: RawPath
  kind: ChangeKind
  before: FileState | null
  after: FileState | null
}

/** Files that may differ: their contents must be read to know. */
export function suspects(before: Listing, after: Listing): Set<RawPath> {
  const found = new Set<RawPath>()
  for (const [path, now] of after.entries) {
    const was = before.entries.get(path)
    if (now.type !== 'file') continue
    if (was?.type !== 'file' || !isUntouched(was, now, before.takenAt)) found.add(path)
  }
  return found
}

/**
 * What differs, in the order of the paths. Nothing is guessed: what only one of the two could look at is left out, and
 * the caller says that there was such a place.
 */
export function compare(before: Listing, after: Listing): Change[] {
  const changes: Change[] = []
  for (const [path, now] of after.entries) {
    const was = before.entries.get(path) ?? null
    if (was === null && (before.cut || isBelow(before.unread, path))) continue
    const kind = was === null ? 'added' : differs(was, now, before.takenAt)
    if (kind) changes.push({ path, kind, before: was, after: now })
  }
  for (const [path, was] of before.entries) {
    if (after.entries.has(path) || after.cut || isBelow(after.unread, path)) continue
    changes.push({ path, kind: 'deleted', before: was, after: null })
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** How many of git's own files differ. */
export function gitChanges(before: Listing, after: Listing): number {
  const paths = new Set([...before.git.keys(), ...after.git.keys()])
  return [...paths].filter((path) => before.git.get(path) !== after.git.get(path)).length
}

export function kindOf(before: FileState | null, after: FileState | null): ChangeKind {
  if (!before) return 'added'
  if (!after) return 'deleted'
  return before.type === after.type && sameContents(before, after) ? 'mode' : 'changed'
}

/** True for a path in one of these folders, at any depth. */
function isBelow(folders: readonly RawPath[], path: RawPath): boolean {
  return folders.some((folder) => folder === '' || path.startsWith(`${folder}/`))
}

function differs(was: FileState, now: FileState, takenAt: number): ChangeKind | null {
  if (was.type !== now.type) return 'changed'
  if (was.type === 'file' && isUntouched(was, now, takenAt)) return null
  if (!sameContents(was, now)) return 'changed'
  // The permissions of a link mean nothing.
  return was.type !== 'link' && was.mode !== now.mode ? 'mode' : null
}

function sameContents(was: FileState, now: FileState): boolean {
  if (was.type === 'link') return was.target === now.target
  if (was.type === 'folder') return true
  if (was.type === 'special') return was.stamp === now.stamp
  if (was.hash !== null && now.hash !== null) return was.hash === now.hash
  return unreadStamp(was) === unreadStamp(now)
}

/** Size, time of the last write and file: all there is of contents that nobody read. */
function unreadStamp({ stamp }: FileState): string {
  const [size, written, , ino] = stamp.split(' ')
  return `${size} ${written} ${ino}`
}
