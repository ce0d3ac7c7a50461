import type { Stats } from 'node:fs'
import { linkTarget, lookAt, nameOf, openIn, openParent, openRoot, type Folder } from './folder'
import { createIgnored, type IsIgnored } from './ignored'
import { slices } from '../lib/slices'
import type { FileState, RawPath } from './state'

/** Everything below a folder at one moment: what there is, not yet what is in it. */
export interface Listing {
  root: string
  entries: Map<RawPath, FileState>
  /** By name only: a run may change them, an undo doesn't touch them. */
  git: Map<RawPath, string>
  /** Folders that could not be opened, and what they hold is not known. */
  unread: RawPath[]
  /** There is more than is looked at. */
  cut: boolean
  /** Milliseconds of the system's clock, before the first look. */
  takenAt: number
}

export interface ListingLimits {
  /** Paths in all. */
  paths: number
  /** A folder in a folder, and so on. */
  depth: number
}

export const LISTING_LIMITS: ListingLimits = { paths: 200_000, depth: 200 }

interface Walk {
  listing: Listing
  limits: ListingLimits
  /** Real paths that are not looked at: the app's own data. */
  skip: ReadonlySet<RawPath>
  isIgnored: IsIgnored
  /** Folders that are looked at last, so that they can't use up what the person's own files need. */
  later: { path: RawPath; area: Area }[]
  /** First path of each file that has several names. */
  named: Map<string, RawPath>
  breathe: () => Promise<void>
}

type Area = 'own' | 'ignored' | 'git'

/** Lists a folder, following no link, never long in one go. Throws when the folder itself can't be opened. */
export async function listFolder(
  root: string,
  skip: ReadonlySet<RawPath> = new Set(),
  limits: ListingLimits = LISTING_LIMITS,
): Promise<Listing> {
  const listing: Listing = {
    root,
    entries: new Map(),
    git: new Map(),
    unread: [],
    cut: false,
    takenAt: Date.now(),
  }
  const isIgnored = createIgnored(root)
  const walk: Walk = { listing, limits, skip, isIgnored, later: [], named: new Map(), breathe: slices() }
  await within(walk, openRoot(root), { path: '', area: 'own' })
  for (const { path, area } of walk.later) {
    const parent = openParent(root, path)
    if (!parent) continue
    try {
      await below(walk, parent, { path, area })
    } finally {
      parent.close()
    }
  }
  return listing
}

interface At {
  path: RawPath
  area: Area
}

/** All of an open folder, which is closed then. */
async function within(walk: Walk, folder: Folder, { path, area }: At): Promise<void> {
  try {
    for (const name of folder.names()) {
      const full = path === '' ? name : `${path}/${name}`
      if (walk.skip.has(full)) continue
      if (isFull(walk)) return
      await entry(walk, folder, { path: full, area })
      await walk.breathe()
    }
  } finally {
    folder.close()
  }
}

function isFull({ listing, limits }: Walk): boolean {
  listing.cut ||= listing.entries.size + listing.git.size >= limits.paths
  return listing.cut
}

async function entry(walk: Walk, folder: Folder, at: At): Promise<void> {
  const { listing, later } = walk
  const name = nameOf(at.path)
  const stat = lookAt(folder, name)
  if (!stat) return
  const area = at.area === 'own' && name === '.git' ? 'git' : at.area
  if (area === 'git') listing.git.set(at.path, stat.isDirectory() ? '' : stampOf(stat))
  else listing.entries.set(at.path, stateOf(walk, { folder, stat, path: at.path, area }))
  if (!stat.isDirectory()) return
  if (at.area === 'own' && area === 'git') later.push({ path: at.path, area })
  else if (area === 'own' && walk.isIgnored(at.path)) later.push({ path: at.path, area: 'ignored' })
  else await below(walk, folder, { path: at.path, area })
}

async function below(walk: Walk, folder: Folder, at: At): Promise<void> {
  const { listing, limits } = walk
  if (at.path.split('/').length > limits.depth) {
    listing.unread.push(at.path)
    return
  }
  let inner: Folder
  try {
    inner = openIn(folder, nameOf(at.path))
  } catch {
    // Access is refused, or it was swapped while we looked: what it holds is not known, and that is said.
    listing.unread.push(at.path)
    return
  }
  await within(walk, inner, at)
}

function stateOf(
  walk: Walk,
  { folder, stat, path, area }: { folder: Folder; stat: Stats; path: RawPath; area: Area },
): FileState {
  const base = {
    ...ownerOf(stat),
    stamp: '',
    hash: null,
    kept: false,
    notKept: null,
    target: null,
    twin: null,
  }
  if (stat.isDirectory()) return { ...base, type: 'folder', size: 0 }
  if (stat.isSymbolicLink())
    return { ...base, type: 'link', size: 0, target: linkTarget(folder, nameOf(path)) }
  if (!stat.isFile()) return { ...base, type: 'special', size: 0, stamp: `${stat.ino}` }
  const isIgnored = area === 'ignored'
  return {
    ...base,
    type: 'file',
    size: stat.size,
    stamp: stampOf(stat),
    notKept: isIgnored ? 'ignored' : null,
    twin: twinOf(walk, stat, path),
  }
}

function ownerOf({ mode, uid, gid }: Stats): Pick<FileState, 'mode' | 'uid' | 'gid'> {
  return { mode: mode & 0o7777, uid, gid }
}

/** The time of the last change of anything is the system's own: no program sets it. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`
}

function twinOf({ named }: Walk, { nlink, dev, ino }: Stats, path: RawPath): RawPath | null {
  if (nlink < 2) return null
  const key = `${dev}:${ino}`
  const first = named.get(key)
  if (first === undefined) named.set(key, path)
  return first ?? path
}
