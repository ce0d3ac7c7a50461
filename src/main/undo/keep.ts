import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Coverage, NotKept } from '@shared/domain/run-changes'
import { sha256 } from '../lib/hash'
import type { Blobs } from './blobs'
import { codeOf, isAway, nameOf, openParent, type Folder } from './folder'
import { stampOf, type Listing } from './listing'
import { slices } from '../lib/slices'
import type { FileState, RawPath } from './state'

export interface KeepLimits {
  /** Bytes of one file. */
  fileBytes: number
  /** Bytes of all files of one run. */
  bytes: number
  files: number
}

/** runtime.md 7. */
export const KEEP_LIMITS: KeepLimits = { fileBytes: 10_000_000, bytes: 500_000_000, files: 10_000 }

/** A file that was changed this shortly before it was read may be changed again without another stamp. */
const RACY_MS = 50
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export interface Keeping {
  blobs: Blobs
  limits: KeepLimits
  /** What was kept before: a file that was not touched since is not read again. */
  previous: Listing | null
  /** The rest is not kept any more. */
  enough: () => boolean
}

/**
 * Decides whose contents are kept, small files first, by what the listing says alone: what is not covered is known
 * before a byte is read.
 */
export function chooseKept({ entries }: Listing, limits: KeepLimits): void {
  const wanted = [...entries.values()].filter(({ type, notKept }) => type === 'file' && notKept === null)
  let left = { ...limits }
  for (const state of wanted.sort((a, b) => a.size - b.size)) {
    if (state.size > limits.fileBytes) state.notKept = 'size'
    else if (left.files === 0 || state.size > left.bytes) state.notKept = 'limit'
    else left = { ...left, files: left.files - 1, bytes: left.bytes - state.size }
  }
}

export function coverageOf({ entries, unread, cut }: Listing): Coverage {
  const notKept: Partial<Record<NotKept, number>> = {}
  let kept = 0
  for (const { type, notKept: why } of entries.values()) {
    if (type !== 'file') continue
    if (why === null) kept += 1
    else notKept[why] = (notKept[why] ?? 0) + 1
  }
  return { kept, notKept, unreadFolders: unread.length, cut }
}

/** Reads and keeps what was chosen. Throws when the disk takes no more. */
export async function keepChosen(listing: Listing, keeping: Keeping): Promise<void> {
  const breathe = slices()
  const open: Open = { root: listing.root, path: null, folder: null }
  try {
    for (const [path, state] of listing.entries) {
      if (state.type !== 'file' || state.notKept !== null || reuse(keeping, path, state)) continue
      if (keeping.enough()) state.notKept = 'limit'
      else keepOne(open, path, state, keeping)
      await breathe()
    }
  } finally {
    open.folder?.close()
  }
}

/** The contents of one file now, with the stamp that they have; null: it is gone, or no file any more. */
export function readContents(
  folder: Folder,
  name: RawPath,
  maxBytes: number,
): { bytes: Buffer; stamp: string } | 'too-large' | null {
  let fd: number
  try {
    fd = openSync(folder.at(name), READ)
  } catch (error) {
    if (isAway(error) || codeOf(error) === 'ENXIO') return null
    throw error
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return null
    const bytes = readAll(fd, maxBytes + 1)
    return bytes.length > maxBytes ? 'too-large' : { bytes, stamp: stampOf(stat) }
  } finally {
    closeSync(fd)
  }
}

/** A file that grows while it is read ends at what is surely too much. */
function readAll(fd: number, atMost: number): Buffer {
  const blocks: Buffer[] = []
  for (let total = 0; total < atMost;) {
    const block = Buffer.allocUnsafe(Math.min(atMost - total, 1_048_576))
    const read = readSync(fd, block, 0, block.length, null)
    if (read === 0) break
    blocks.push(block.subarray(0, read))
    total += read
  }
  return Buffer.concat(blocks)
}

/** True when a file has not changed since a listing was taken, as far as its stamp can tell. */
export function isUntouched(before: FileState, now: FileState, takenAt: number): boolean {
  const changedAt = Number(before.stamp.split(' ')[2])
  return before.stamp === now.stamp && changedAt < takenAt - RACY_MS
}

function reuse({ previous, blobs }: Keeping, path: RawPath, state: FileState): boolean {
  const known = previous?.entries.get(path)
  if (!previous || !known?.kept || known.hash === null) return false
  if (!isUntouched(known, state, previous.takenAt) || !blobs.has(known.hash)) return false
  state.hash = known.hash
  state.kept = true
  return true
}

/** The folder of the file before: files of one folder come one after the other. */
interface Open {
  root: string
  path: RawPath | null
  folder: Folder | null
}

function folderFor(open: Open, path: RawPath): Folder | null {
  const parent = path.slice(0, Math.max(0, path.length - nameOf(path).length))
  if (open.path === parent && open.folder) return open.folder
  open.folder?.close()
  open.folder = openParent(open.root, path)
  open.path = parent
  return open.folder
}

function keepOne(open: Open, path: RawPath, state: FileState, { blobs, limits }: Keeping): void {
  try {
    const folder = folderFor(open, path)
    const read = folder && readContents(folder, nameOf(path), limits.fileBytes)
    if (read === 'too-large') state.notKept = 'size'
    else if (!read) state.notKept = 'unreadable'
    else {
      const hash = sha256(read.bytes)
      if (!blobs.has(hash)) blobs.put(hash, read.bytes)
      Object.assign(state, { hash, kept: true, stamp: read.stamp, size: read.bytes.length })
    }
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EIO'].includes(codeOf(error))) throw error
    state.notKept = 'unreadable'
  }
}
