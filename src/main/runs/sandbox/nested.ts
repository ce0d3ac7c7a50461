import { closeSync, constants, lstatSync, openSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isProtectedName, PROTECTED_PATHS } from '../../lib/protected-paths'
import { slices } from '../../lib/slices'
import { list, type Listed } from './byte-names'

/*
 * Protected names below the root of a project (SB-5): repositories in folders, their editors' settings, and folders
 * that git takes for a repository without a `.git`. What is there is mounted read-only. What is not there can't be
 * covered in every folder: it is looked for after the run and moved away (ADR 0034).
 */

/** A place that is trusted, and which file or folder it was: a script can move the folder around it. */
export const Found = z.object({ path: z.string(), id: z.string(), born: z.string().optional() })
export type Found = z.infer<typeof Found>

/** What stands at a path now. `born` tells it from one that got the number of another that is gone. */
export function foundAt(workspace: string, path: string): Found {
  const place = join(workspace, path)
  return { path, id: idOf(place), born: bornOf(place) }
}

/** True for the same file or folder, wherever it stands now. */
export function isSame(was: Found, now: Found): boolean {
  return was.id === now.id && (!was.born || !now.born || was.born === now.born)
}

/**
 * Asks whether a place was among `before`: also where a folder around it was renamed, but not where settings lead to
 * something in that folder (`named`), which could have stayed behind.
 */
export function knownBy(before: readonly Found[], named: readonly Found[]): (now: Found) => boolean {
  const byId = new Map<string, Found[]>()
  for (const place of before) byId.set(place.id, [...(byId.get(place.id) ?? []), place])
  const there = named.filter(({ id }) => id !== '')
  const mayMove = (was: Found) => !there.some(({ path }) => path.startsWith(`${dirname(was.path)}/`))
  return (now) =>
    byId.get(now.id)?.some((was) => isSame(was, now) && (was.path === now.path || mayMove(was))) === true
}

/** What was found. Not complete: the project has more folders than are looked at. */
export interface Survey {
  found: Found[]
  complete: boolean
  /** Folders that could not be listed, whatever they hold. */
  closed: string[]
  /** Folders whose names are not UTF-8: they were not looked into. */
  byBytes: ByBytes[]
}

/** A folder whose name is not UTF-8; `path` shows it. */
export interface ByBytes {
  parent: string
  bytes: Buffer
  path: string
}

/** Folders looked at before a run, the outer ones first, those of packages last. */
const MAX_FOLDERS = 20_000
/** After it: a script can make folders until its disk is full, and what it made is followed to its end. */
const MAX_AFTER = 300_000
/** The same in a project that had more before the run than are looked at then: each of its runs waits for the look. */
const MAX_AFTER_LARGE = MAX_FOLDERS

/** What makes a folder a repository without a `.git` (git's own test asks for these). */
const REPOSITORY = ['HEAD', 'objects', 'refs', 'commondir']

/**
 * Protected places at any depth below the folders `roots` of the workspace, without those at its own root, which have
 * covers. A folder that is a repository by itself stands there by its file HEAD.
 */
export function surveyNested(workspace: string, roots: readonly string[], most = MAX_FOLDERS): Survey {
  const steps = survey(workspace, roots, most)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** One step for each folder. */
function* survey(workspace: string, roots: readonly string[], most: number): Generator<void, Survey> {
  const found: Found[] = []
  const closed: string[] = []
  const byBytes: ByBytes[] = []
  const left = roots.map((root) => root.slice(workspace.length + 1))
  const packages: string[] = []
  let [at, late] = [0, 0]
  for (let seen = 0; ; seen += 1) {
    const folder = at < left.length ? left[at++] : packages[late++]
    if (folder === undefined) return { found, complete: true, closed, byBytes }
    if (seen === most) return { found, complete: false, closed, byBytes }
    const { entries, isListed } = entriesOf(join(workspace, folder))
    if (!isListed) closed.push(folder)
    for (const { name, isFolder, isTrusted, bytes } of trustedIn(folder, entries)) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (bytes) byBytes.push({ parent: folder, bytes, path })
      else if (isTrusted) found.push(foundAt(workspace, path))
      else if (isFolder) (name === 'node_modules' ? packages : left).push(path)
    }
    yield
  }
}

/** The same, letting other work in. */
export function surveyBefore(workspace: string, roots: readonly string[]): Promise<Survey> {
  return slowly(survey(workspace, roots, MAX_FOLDERS))
}

/** The same after a run. `isWhole`: before it all folders were looked at. */
export function surveyAfter(workspace: string, roots: readonly string[], isWhole: boolean): Promise<Survey> {
  return slowly(survey(workspace, roots, isWhole ? MAX_AFTER : MAX_AFTER_LARGE))
}

async function slowly(steps: Generator<void, Survey>): Promise<Survey> {
  const breathe = slices()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await breathe()
  }
}

/**
 * True for a folder that could not be listed and may hold what nobody knew before: it was closed or made since then, or
 * there is no telling. One that was closed all the time, a script of the same person could not enter either.
 */
export function isClosedSince(path: string, since: number): boolean {
  try {
    return lstatSync(path).ctimeMs >= since
  } catch (error) {
    return !['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}

/** What is in a folder, without what has covers. */
function trustedIn(folder: string, entries: readonly Listed[]): (Listed & { isTrusted: boolean })[] {
  const isRepository = looksLikeRepository(entries)
  return entries
    .filter(({ name, bytes, isFolder }) => (bytes ? isFolder : folder !== '' || !AT_ROOT.has(name)))
    .map((entry) => ({
      ...entry,
      isTrusted: isProtectedName(entry.name) || (isRepository && entry.name === 'HEAD'),
    }))
}

const AT_ROOT: ReadonlySet<string> = new Set(PROTECTED_PATHS)

/** What is to be read-only because of a place: a repository without a `.git` as a whole. */
export function mountOf({ path }: Found): string {
  return /(?:^|\/)HEAD$/.test(path) ? path.slice(0, -'/HEAD'.length) : path
}

function entriesOf(folder: string): { entries: Listed[]; isListed: boolean } {
  try {
    return { entries: list(folder), isListed: true }
  } catch (error) {
    // What is no folder any more holds nothing.
    const isGone = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
    // A folder that can be entered and not listed is asked for each name.
    const entries = [...PROTECTED_PATHS, ...REPOSITORY]
      .filter((name) => isThere(join(folder, name)))
      .map((name) => ({ name, isFolder: false, bytes: null }))
    return { entries, isListed: isGone }
  }
}

function looksLikeRepository(entries: readonly Listed[]): boolean {
  const names = new Set(entries.map(({ name }) => name))
  return names.has('HEAD') && (names.has('commondir') || (names.has('objects') && names.has('refs')))
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // Closed to the person and so to every program of theirs.
    return false
  }
}

/** Which file or folder it is; empty: none. A link counts with its target: its number is free again when it goes. */
export function idOf(path: string): string {
  try {
    const stat = lstatSync(path)
    const target = stat.isSymbolicLink() ? readlinkSync(path) : ''
    return `${stat.dev}:${stat.ino}:${target}`
  } catch {
    // Gone meanwhile: what stands there later is another one.
    return ''
  }
}

/** In nanoseconds; empty: gone, or the file system does not keep it. */
function bornOf(path: string): string {
  try {
    const born = lstatSync(path, { bigint: true }).birthtimeNs
    return born > 0n ? String(born) : ''
  } catch {
    // Gone meanwhile, as `idOf` has it.
    return ''
  }
}

/** To name a folder and follow no link in it: Linux alone has it. */
const O_PATH = 0o10000000

/**
 * Calls `action` with a path of the folder that no link, put there meanwhile, can lead elsewhere. False: the folder is
 * not there any more, or a link is in the way; what fails in `action` is thrown. Elsewhere than on Linux it is the plain
 * path.
 */
export function inFolder(workspace: string, folder: string, action: (place: string) => void): boolean {
  if (process.platform !== 'linux') {
    action(join(workspace, folder))
    return true
  }
  const file = openFolder(workspace, folder)
  if (file === null) return false
  try {
    action(`/proc/self/fd/${file}`)
    return true
  } finally {
    closeSync(file)
  }
}

/** Null: it is not there any more, or a link is in the way. */
function openFolder(workspace: string, folder: string): number | null {
  const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW
  let file = openSync(workspace, flags)
  try {
    for (const part of folder.split('/').filter((name) => name !== '.')) {
      const next = openSync(`/proc/self/fd/${file}/${part}`, flags)
      closeSync(file)
      file = next
    }
    return file
  } catch (error) {
    closeSync(file)
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return null
    throw error
  }
}
