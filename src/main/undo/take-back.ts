import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { isNoSpace } from '@shared/errors'
import { sha256 } from '../lib/hash'
import type { Blobs } from './blobs'
import { kindOf } from './compare'
import {
  codeOf,
  isAway,
  linkTarget,
  lookAt,
  nameOf,
  openIn,
  openParent,
  openRoot,
  type Folder,
} from './folder'
import { KEEP_LIMITS, readContents } from './keep'
import { stampOf } from './listing'
import { slices } from '../lib/slices'
import { identityOf, isSame, nativePath, shownPath, type FileState, type RawPath } from './state'

/** One path that is to be as it was. */
export interface Step {
  n: number
  path: RawPath
  /** What must be there now; anything else is left alone. */
  from: FileState | null
  to: FileState | null
}

export interface Failure {
  n: number
  path: RawPath
  why: string
}

export interface Place {
  root: string
  blobs: Blobs
  /** Name of a file under way in any folder; what a crash left of it is removed. */
  temporary: string
}

/**
 * Brings paths back, each in one step where the system can: old or new, never a part. Follows no link, touches nothing
 * that is not as expected, and can be called again with the same steps after a crash: what is done is done. Gives what
 * it left alone.
 */
export async function takeBack(place: Place, steps: readonly Step[]): Promise<Failure[]> {
  const failures: Failure[] = []
  const byDepth = [...steps].sort((a, b) => depthOf(a.path) - depthOf(b.path))
  const breathe = slices()
  const attempt = async (step: Step, work: () => void) => {
    try {
      work()
    } catch (error) {
      failures.push({ n: step.n, path: step.path, why: reasonOf(error, step.path) })
    }
    await breathe()
  }
  openUp(place, byDepth)
  for (const step of byDepth.toReversed()) if (isRemoval(step)) await attempt(step, () => remove(place, step))
  const failed = new Set(failures.map(({ n }) => n))
  for (const step of byDepth) {
    const { to } = step
    if (to && !failed.has(step.n)) await attempt(step, () => restore(place, step, to))
  }
  // Innermost first: a folder that may not be written to is closed when all in it is done.
  for (const step of byDepth.toReversed()) {
    const { to } = step
    if (to?.type === 'folder') await attempt(step, () => setFolderMode(place, step.path, to.mode))
  }
  return failures
}

/** What is at a path now; contents are read up to the limit. null: nothing. Throws where access is refused. */
export function stateNow(root: string, path: RawPath): { state: FileState; bytes: Buffer | null } | null {
  const folder = openParent(root, path)
  if (!folder) return null
  try {
    return stateIn(folder, nameOf(path))
  } finally {
    folder.close()
  }
}

export function stateIn(folder: Folder, name: RawPath): { state: FileState; bytes: Buffer | null } | null {
  const stat = lookAt(folder, name)
  if (!stat) return null
  const base: FileState = {
    type: 'special',
    mode: stat.mode & 0o7777,
    uid: stat.uid,
    gid: stat.gid,
    size: 0,
    stamp: `${stat.ino}`,
    hash: null,
    kept: false,
    notKept: null,
    target: null,
    twin: null,
  }
  if (stat.isDirectory()) return { state: { ...base, type: 'folder', stamp: '' }, bytes: null }
  if (stat.isSymbolicLink())
    return { state: { ...base, type: 'link', stamp: '', target: linkTarget(folder, name) }, bytes: null }
  if (!stat.isFile()) return { state: base, bytes: null }
  const file: FileState = { ...base, type: 'file', size: stat.size, stamp: stampOf(stat) }
  const read = readContents(folder, name, KEEP_LIMITS.fileBytes)
  if (read === null) return null
  if (read === 'too-large') return { state: { ...file, notKept: 'size' }, bytes: null }
  const state = { ...file, stamp: read.stamp, size: read.bytes.length, hash: sha256(read.bytes) }
  return { state, bytes: read.bytes }
}

class Left extends Error {}

function depthOf(path: RawPath): number {
  return path.split('/').length
}

/** Something must go before what is wanted can be there, or nothing is wanted. */
function isRemoval({ from, to }: Step): boolean {
  if (to === null) return true
  return from !== null && (from.type === 'folder') !== (to.type === 'folder')
}

/** A folder that a run closed is opened for us; its permissions are set at the end. */
function openUp({ root }: Place, byDepth: readonly Step[]): void {
  for (const { path, from, to } of byDepth) {
    if (from?.type !== 'folder' || (from.mode & 0o700) === 0o700) continue
    try {
      setFolderMode({ root }, path, (to ?? from).mode | 0o700)
    } catch {
      // What is in it then fails by itself, with its reason.
    }
  }
}

function inFolder<T>(root: string, path: RawPath, work: (folder: Folder, name: RawPath) => T): T {
  const folder = openParent(root, path)
  if (!folder) throw new Left('The folder that it was in is gone, or a link is in its place.')
  try {
    return work(folder, nameOf(path))
  } finally {
    folder.close()
  }
}

function remove(place: Place, step: Step): void {
  const { root, temporary } = place
  const parent = openParent(root, step.path)
  if (!parent) return
  try {
    const name = nameOf(step.path)
    rmSync(parent.at(temporary), { force: true })
    const now = stateIn(parent, name)?.state ?? null
    if (now === null || isSame(now, step.to)) return
    if (!isExpected(now, step.from)) throw new Left(CHANGED)
    if (now.type === 'folder') rmdirSync(parent.at(name))
    else unlinkSync(parent.at(name))
  } finally {
    parent.close()
  }
}

const CHANGED = 'It changed again since.'

/** A folder's permissions were opened by us meanwhile. */
function isExpected(now: FileState, from: FileState | null): boolean {
  if (now.type === 'folder' && from?.type === 'folder') return true
  return isSame(now, from)
}

function restore(place: Place, step: Step, to: FileState): void {
  makeFolders(place.root, step.path)
  inFolder(place.root, step.path, (folder, name) => {
    const temporary = folder.at(place.temporary)
    rmSync(temporary, { force: true })
    const now = stateIn(folder, name)?.state ?? null
    if (isSame(now, to)) return
    checkExpected(now, step)
    if (to.type === 'folder') makeFolder(folder, name, now)
    else if (to.type === 'file' && now && kindOf(now, to) === 'mode') setFileMode(folder, name, to.mode)
    else putInPlace(place, { folder, name, to, temporary })
  })
}

function checkExpected(now: FileState | null, step: Step): void {
  // Where the kind changes, what was there was removed a moment ago.
  const isGone = now === null && (step.from === null || isRemoval(step))
  if (!isGone && (now === null || !isExpected(now, step.from))) throw new Left(CHANGED)
}

/** Its permissions are set when all in it is done. */
function makeFolder(folder: Folder, name: RawPath, now: FileState | null): void {
  if (now === null) mkdirSync(folder.at(name), 0o700)
}

interface Target {
  folder: Folder
  name: RawPath
  to: FileState
  temporary: Buffer
}

function putInPlace(place: Place, { folder, name, to, temporary }: Target): void {
  if (to.type === 'special') throw new Left('A special file can not be made again.')
  try {
    if (to.type === 'link') symlinkSync(nativePath(to.target ?? ''), temporary)
    else if (!linkTwin(place, to, temporary)) writeCopy(place, to, temporary)
    renameSync(temporary, folder.at(name))
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** A file that had another name gets it again, where that one holds what is wanted. */
function linkTwin({ root }: Place, to: FileState, temporary: Buffer): boolean {
  if (to.twin === null) return false
  const folder = openParent(root, to.twin)
  if (!folder) return false
  try {
    const twin = stateIn(folder, nameOf(to.twin))
    if (!twin || identityOf(twin.state) !== identityOf(to)) return false
    linkSync(folder.at(nameOf(to.twin)), temporary)
    return true
  } catch (error) {
    // The file system has no such links: a copy does.
    if (['EPERM', 'EMLINK', 'ENOSYS', 'EXDEV', 'EACCES'].includes(codeOf(error))) return false
    throw error
  } finally {
    folder.close()
  }
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

function writeCopy({ blobs }: Place, to: FileState, temporary: Buffer): void {
  const bytes = to.hash === null ? null : blobs.get(to.hash)
  if (!bytes) throw new Left('What it held was not kept.')
  const fd = openSync(temporary, NEW_FILE, 0o600)
  try {
    writeFileSync(fd, bytes)
    if (process.getuid?.() === 0) fchownSync(fd, to.uid, to.gid)
    fchmodSync(fd, to.mode)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** The folders above a path, where a part of a change is taken back. */
function makeFolders(root: string, path: RawPath): void {
  let folder = openRoot(root)
  try {
    for (const name of path.split('/').slice(0, -1)) {
      if (!lookAt(folder, name)) mkdirSync(folder.at(name))
      const next = openIn(folder, name)
      folder.close()
      folder = next
    }
  } finally {
    folder.close()
  }
}

function setFileMode(folder: Folder, name: RawPath, mode: number): void {
  let fd: number
  try {
    fd = openSync(
      folder.at(name),
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    )
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error
    // Closed to its own owner: by name, after a look that it is no link.
    if (lookAt(folder, name)?.isFile()) chmodSync(folder.at(name), mode)
    return
  }
  try {
    fchmodSync(fd, mode)
  } finally {
    closeSync(fd)
  }
}

function setFolderMode({ root }: Pick<Place, 'root'>, path: RawPath, mode: number): void {
  inFolder(root, path, (folder, name) => {
    const stat = lookAt(folder, name)
    if (stat?.isDirectory() && (stat.mode & 0o7777) !== mode) chmodSync(folder.at(name), mode)
  })
}

function reasonOf(error: unknown, path: RawPath): string {
  if (error instanceof Left) return error.message
  const code = codeOf(error)
  if (code === 'ENOTEMPTY' || code === 'EEXIST') return 'The folder holds files that are not on this list.'
  if (isAway(error)) return 'A part of its path is a link or no folder.'
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return 'Access is refused.'
  if (code === '') throw error
  if (isNoSpace(error)) return 'The disk is full.'
  return `The system refused it (${code}) for ${shownPath(path)}.`
}
