import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '@shared/errors'
import { faultPoint } from '../lib/fault-point'
import { sha256 } from '../lib/hash'
import { codeOf } from './codes'
import { nativeOf, rawOf, textOf } from './raw-path'
import type { RawPath } from './raw-path'

/** A skill folder as it is, links and `.git` included. */
export interface Tree {
  /** Over names, kinds, permissions, contents and where links lead: two trees of one digest are the same. */
  digest: string
  files: number
  bytes: number
}

/** A folder is not copied beyond that. */
export const TREE_LIMITS = { files: 20_000, bytes: 500_000_000, depth: 64 }

interface Walk {
  lines: string[]
  files: number
  bytes: number
  pause: () => Promise<void> | undefined
}

/** Reads all of a folder. Throws `bad_input` for special files, `too_large`, `busy` when it changes meanwhile. */
export async function readTree(dir: string): Promise<Tree> {
  return finished(await walked(dir, null))
}

/**
 * Copies a folder to where nothing is yet: contents, permissions, times, and links as links, which are followed
 * nowhere. What comes back is of what was written. Throws as `readTree`, and as the system does.
 */
export async function copyTree(from: string, to: string): Promise<Tree> {
  const walk = await walked(from, to)
  return finished(walk)
}

/** Removes a folder, also where parts of it are read-only. Follows no link; nothing there is no error. */
export function removeTree(dir: string): void {
  const path = rawOf(dir)
  const stat = lstatSync(nativeOf(path), { throwIfNoEntry: false })
  if (!stat) return
  if (!stat.isDirectory()) unlinkSync(nativeOf(path))
  else removeFolder(path, stat)
}

function removeFolder(path: RawPath, stat: Stats): void {
  if ((stat.mode & 0o700) !== 0o700) chmodSync(nativeOf(path), 0o700)
  for (const name of namesIn(path)) {
    const inner = `${path}/${name}`
    const found = lstatSync(nativeOf(inner), { throwIfNoEntry: false })
    if (found?.isDirectory()) removeFolder(inner, found)
    else if (found) unlinkSync(nativeOf(inner))
  }
  rmdirSync(nativeOf(path))
}

async function walked(from: string, to: string | null): Promise<Walk> {
  const walk: Walk = { lines: [], files: 0, bytes: 0, pause: slices() }
  await walkFolder(walk, { at: rawOf(from), to: to === null ? null : rawOf(to), path: '', depth: 0 })
  return walk
}

function finished({ lines, files, bytes }: Walk): Tree {
  return { digest: sha256(lines.sort().join('')), files, bytes }
}

interface Place {
  at: RawPath
  to: RawPath | null
  /** Below the skill. */
  path: RawPath
  depth: number
}

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)
const HAS_PROC = process.platform === 'linux'

/** Each folder is held open while it is walked: what is renamed or linked meanwhile leads nowhere else. */
async function walkFolder(walk: Walk, { at, to, path, depth }: Place): Promise<void> {
  if (depth > TREE_LIMITS.depth) throw tooLarge()
  const fd = stable(() => openSync(nativeOf(at), FOLDER), path)
  try {
    const stat = fstatSync(fd)
    const base = HAS_PROC ? rawOf(`/proc/self/fd/${fd}`) : at
    if (to !== null) mkdirSync(nativeOf(to), { mode: 0o700 })
    for (const name of namesIn(`${base}/.`)) {
      const inner = {
        at: `${base}/${name}`,
        to: to === null ? null : `${to}/${name}`,
        path: path === '' ? name : `${path}/${name}`,
        depth: depth + 1,
      }
      await walkEntry(walk, inner)
      await walk.pause()
    }
    if (to !== null) sealFolder(to, stat)
  } finally {
    closeSync(fd)
  }
}

function sealFolder(to: RawPath, stat: Stats): void {
  utimesSync(nativeOf(to), stat.atime, stat.mtime)
  chmodSync(nativeOf(to), stat.mode & 0o777)
}

async function walkEntry(walk: Walk, place: Place): Promise<void> {
  const stat = stable(() => lstatSync(nativeOf(place.at)), place.path)
  const note = (type: string, what: string) =>
    walk.lines.push(`${type} ${(stat.mode & 0o777).toString(8)} ${place.path}\0${what}\n`)
  if (stat.isDirectory()) {
    note('folder', '')
    return walkFolder(walk, place)
  }
  if (stat.isSymbolicLink()) return void walk.lines.push(`link ${place.path}\0${walkLink(place, stat)}\n`)
  if (!stat.isFile()) throw special(place.path)
  walk.files += 1
  walk.bytes += stat.size
  if (walk.files > TREE_LIMITS.files || walk.bytes > TREE_LIMITS.bytes) throw tooLarge()
  note('file', walkFile(place))
}

function walkLink({ at, to, path }: Place, stat: Stats): string {
  const target = stable(() => readlinkSync(nativeOf(at), { encoding: 'buffer' }), path)
  if (to !== null) {
    symlinkSync(target, nativeOf(to))
    lutimesSync(nativeOf(to), stat.atime, stat.mtime)
  }
  return target.toString('latin1')
}

const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
const scratch = Buffer.allocUnsafe(256 * 1024)

/** Gives the hash of what was read, which is what was written. */
function walkFile({ at, to, path }: Place): string {
  const fd = stable(() => openSync(nativeOf(at), READ), path)
  let made: number | null = null
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw special(path)
    if (to !== null) {
      faultPoint('arrange.mid-copy')
      made = openSync(nativeOf(to), NEW_FILE, 0o600)
    }
    const hash = createHash('sha256')
    for (let read = readSync(fd, scratch); read > 0; read = readSync(fd, scratch)) {
      hash.update(scratch.subarray(0, read))
      if (made !== null) writeAll(made, scratch.subarray(0, read))
    }
    if (made !== null) {
      fchmodSync(made, stat.mode & 0o777)
      futimesSync(made, stat.atime, stat.mtime)
      fsyncSync(made)
    }
    return hash.digest('hex')
  } finally {
    closeSync(fd)
    if (made !== null) closeSync(made)
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
}

function namesIn(path: RawPath): RawPath[] {
  return readdirSync(nativeOf(path), { encoding: 'buffer' }).map((name) => name.toString('latin1'))
}

/** What is gone or became a link while it was read is no fault of the app. */
function stable<T>(look: () => T, path: RawPath): T {
  try {
    return look()
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error))) throw error
    throw new AppError(
      'busy',
      `"${textOf(path) || 'The folder'}" was changed or removed meanwhile. Wait until that ends, then try again.`,
    )
  }
}

function special(path: RawPath): AppError {
  return new AppError(
    'bad_input',
    `"${textOf(path)}" is a special file (a pipe, a socket or a device) that can't be copied. Remove it, then try again.`,
  )
}

function tooLarge(): AppError {
  return new AppError(
    'too_large',
    'The folder has more than 20,000 files or 500 MB. Remove what the skill does not need, such as node_modules.',
  )
}

/** Lets other work in now and then. */
function slices(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < 8) return undefined
    return setImmediate().then(() => void (since = performance.now()))
  }
}
