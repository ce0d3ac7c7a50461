import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { AppError } from '@shared/errors'
import { isInside } from '../../lib/contain'
import { PROTECTED_PATHS } from '../../lib/protected-paths'
import { NOT_TEXT, refuseName, renameBytes, shown } from './byte-names'
import { outerSettings, type OuterSettings } from './git-named'
import { ledAnew } from './led'
import type { Quarantine } from './quarantine'
import { isBornAfter, isChangedSince } from './changed'
import { foundAt, idOf, inFolder, isClosedSince, isSame, knownBy, mountOf, surveyAfter } from './nested'
import type { ByBytes, Found } from './nested'

/*
 * The protected paths (SB-5) are mounted read-only, whether they exist or not. What does not exist is covered first: an
 * empty folder is made in its place, because a mount needs one. A folder also where a file is usual: git does not see
 * empty folders, and removing one can't cost anybody a byte. The run's journal names its covers; they go when no run of
 * this project needs them any more, after a crash at the next start (ADR 0021).
 *
 * No mount can cover a link, a place where no folder can be made, or every folder of a project. Those are looked at
 * after the run, when none of its processes is left. What a script made there is moved to the quarantine and said.
 */

/** A protected path that no mount can cover: it is absent, or a link with this target. */
export const Guard = z.object({ path: z.string(), link: z.string().nullable() })
export type Guard = z.infer<typeof Guard>

/** Mounts of one run for places below the root: bubblewrap takes 9000 arguments, three for each. */
const MAX_NESTED = 2000

/**
 * Read-only mounts over the protected paths, after the mount of the workspace itself, and over what links in their
 * places lead to. Throws for a project that is a repository without a `.git`: all of it is trusted.
 */
export function protectedMounts(
  workspace: string,
  covers: readonly string[],
  nested: readonly Found[],
): string[] {
  const atRoot = PROTECTED_PATHS.filter((path) => looksLike(workspace, path).kind !== 'absent')
  if (nested.some((found) => mountOf(found) === '')) refuseBare(workspace)
  return [
    ...readOnly([
      ...covers.map((path) => join(workspace, path)),
      ...atRoot.flatMap((path) => inPlaceOf(workspace, path)),
    ]),
    ...nestedMounts(workspace, nested),
  ]
}

/** The same for what lies below the root alone. */
export function nestedMounts(workspace: string, nested: readonly Found[]): string[] {
  return readOnly(placesOf(nested).flatMap((path) => inPlaceOf(workspace, path)))
}

function readOnly(places: readonly string[]): string[] {
  return [...new Set(places)].flatMap((path) => ['--ro-bind-try', path, path])
}

/** Throws where there are more than can be mounted: one that is left out would be open. */
function placesOf(nested: readonly Found[]): string[] {
  const places = [...new Set(nested.map(mountOf))]
  if (places.length > MAX_NESTED) refuseMany(places.length)
  return places
}

function refuseMany(places: number): never {
  throw new AppError(
    'sandbox_failed',
    `This project holds ${places} places that git, editors or agents trust, such as repositories in folders: no more ` +
      `than ${MAX_NESTED} can be closed to a script. Nothing ran. Open a folder inside it as the project, or set the ` +
      'sandbox to reading under Settings.',
    { places },
  )
}

/** Where a link leads to inside the workspace; the link itself can't be mounted over. */
function inPlaceOf(workspace: string, path: string): string[] {
  const place = join(workspace, path)
  try {
    const bytes = realpathSync.native(place, 'buffer')
    const real = shown(bytes)
    if (real === place) return [place]
    if (!isInside(workspace, real) || real === workspace) return []
    if (!isUtf8(bytes)) refuseName(real)
    return [real]
  } catch (error) {
    if (error instanceof AppError) throw error
    // A link to nothing, or gone meanwhile.
    return []
  }
}

function refuseBare(workspace: string): never {
  throw new AppError(
    'sandbox_failed',
    'This folder is a git repository without a folder of files: git would trust all that a script writes in it. ' +
      'Nothing ran. Use a checkout of it, or set the sandbox to reading under Settings.',
    { path: workspace },
  )
}

/** What is missing of the protected paths: the folders to make so that each can be covered. */
export function missingCovers(workspace: string): string[] {
  return PROTECTED_PATHS.filter((path) => looksLike(workspace, path).kind === 'absent')
}

/** Makes the folders that can be made, and gives them. Throws when the disk is full. */
export function makeCovers(workspace: string, missing: readonly string[]): string[] {
  return missing.filter((path) => {
    try {
      mkdirSync(join(workspace, path), { mode: 0o555 })
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Somebody made it just now; it is mounted read-only like everything that exists.
      if (code === 'EEXIST') return false
      // The script, who is the same person, can't make it either; it is guarded.
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
      throw error
    }
  })
}

/** Removes covers that nobody filled, and gives those that are more than an empty folder by now. */
export function removeCovers(workspace: string, covers: readonly string[]): string[] {
  const innermostFirst = covers.toSorted((a, b) => b.length - a.length)
  return innermostFirst.filter((path) => {
    try {
      rmdirSync(join(workspace, path))
      return false
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ENOENT'
    }
  })
}

/** The protected paths that are to be looked at after the run. */
export function guardsOf(workspace: string): Guard[] {
  return PROTECTED_PATHS.flatMap((path) => {
    const seen = looksLike(workspace, path)
    // Two such targets would look the same after the run.
    if (seen.kind === 'link' && seen.link.includes(NOT_TEXT)) refuseName(path)
    return seen.kind === 'real' ? [] : [{ path, link: seen.kind === 'link' ? seen.link : null }]
  })
}

/** The protected paths of the root that are there, each as the file or folder that it is. */
export function standing(workspace: string): Found[] {
  return PROTECTED_PATHS.filter((path) => looksLike(workspace, path).kind === 'real').map((path) =>
    foundAt(workspace, path),
  )
}

/**
 * Moves what a script made at a guarded path to `quarantine`, puts changed links back, and gives the paths it moved.
 * Only when no process of the run is left.
 */
export function settleGuards(workspace: string, guards: readonly Guard[], quarantine: Quarantine): string[] {
  return guards.flatMap((guard) => {
    const now = looksLike(workspace, guard.path)
    const isAsBefore =
      guard.link === null ? now.kind === 'absent' : now.kind === 'link' && now.link === guard.link
    if (isAsBefore) return []
    if (now.kind !== 'absent') moveAway(join(workspace, guard.path), quarantine(guard.path))
    if (guard.link !== null) symlinkSync(guard.link, join(workspace, guard.path))
    return [guard.path]
  })
}

/**
 * Moves away what stands where trusted places lead to and is not what stood there, and a link that came in the way; not
 * what was made after `until`, milliseconds.
 */
export function settleNamed(
  workspace: string,
  named: readonly Found[],
  quarantine: Quarantine,
  until = Infinity,
): string[] {
  return named.flatMap((was) => {
    const place = linkOnWay(workspace, was.path) ?? was.path
    const now = foundAt(workspace, place)
    if (now.id === '' || (place === was.path && isSame(was, now))) return []
    if (isBornAfter(now.born, until)) return []
    const isMoved = inFolder(workspace, dirname(place), (folder) =>
      moveAway(join(folder, basename(place)), quarantine(place)),
    )
    return isMoved ? [place] : []
  })
}

/** The first folder of a path that is a link; before the run there was none. */
function linkOnWay(workspace: string, path: string): string | undefined {
  const parts = path.split('/')
  return parts
    .slice(1)
    .map((_, index) => parts.slice(0, index + 1).join('/'))
    .find((folder) => looksLike(workspace, folder).kind === 'link')
}

/** What was looked at before a run. */
interface Looked {
  before: readonly Found[]
  roots: readonly string[]
  /** All folders were: what was not found then is new. */
  whole: boolean
  /** What git's settings and links lead to. */
  named?: readonly Found[]
  /** Git's settings that count in every repository; left out: those of the app's environment. */
  outer?: OuterSettings
  /** When the run began, by the clock of the file system; milliseconds. */
  since: number
  /** What was made later is not the run's; left out: not known. */
  until?: number
}

/** Moves away what stands at a protected name below the root and did not before. `closed`: what can't be looked into. */
export async function settleNested(
  workspace: string,
  { before, roots, whole, named = [], outer = outerSettings([process.env]), since, until = Infinity }: Looked,
  quarantine: Quarantine,
): Promise<{ moved: string[]; complete: boolean; closed: string[] }> {
  const isKnown = knownBy(before, named)
  const survey = await surveyAfter(workspace, roots, whole)
  const { found, complete } = survey
  const isNew = ({ path, born }: Found) =>
    !isBornAfter(born, until) && (whole || isChangedSince(join(workspace, path), since))
  const made = found.filter((place) => !isKnown(place)).filter(isNew)
  const moved = made.filter(({ path, id }) =>
    inFolder(workspace, dirname(path), (folder) => {
      const from = join(folder, basename(path))
      if (idOf(from) === id) moveAway(from, quarantine(path))
    }),
  )
  const known = found.filter(isKnown)
  const elsewhere = known.filter((now) => !before.some((was) => was.path === now.path && isSame(was, now)))
  const turned = settleNamed(workspace, ledAnew(workspace, elsewhere, { named, outer }), quarantine)
  const closed = survey.closed.filter((path) => isClosedSince(join(workspace, path), since))
  const byBytes = survey.byBytes.filter(
    (folder) => (whole || isNamedSince(workspace, folder, since)) && moveBytes(workspace, folder, quarantine),
  )
  return { moved: [...[...moved, ...byBytes].map(({ path }) => path), ...turned], complete, closed }
}

/** True for a folder that was moved away under a name that is text. */
function moveBytes(workspace: string, { parent, bytes, path }: ByBytes, quarantine: Quarantine): boolean {
  let isMoved = false
  inFolder(workspace, parent === '' ? '.' : parent, (folder) => {
    const name = `moved-${randomBytes(6).toString('hex')}`
    isMoved = renameBytes(folder, bytes, name)
    if (isMoved) moveAway(join(folder, name), quarantine(path))
  })
  return isMoved
}

/** By the clock of the file system; renaming changes it too. */
function isNamedSince(workspace: string, { parent, bytes }: ByBytes, since: number): boolean {
  const place = Buffer.concat([Buffer.from(`${join(workspace, parent)}/`), bytes])
  return (lstatSync(place, { throwIfNoEntry: false })?.ctimeMs ?? 0) >= since
}

type Look = { kind: 'real' | 'absent' } | { kind: 'link'; link: string }

/** Without following a link: a link in the way is what has to be guarded. */
function looksLike(workspace: string, path: string): Look {
  const stat = lstatSync(join(workspace, path), { throwIfNoEntry: false })
  if (!stat) return { kind: 'absent' }
  return stat.isSymbolicLink()
    ? { kind: 'link', link: readlinkSync(join(workspace, path)) }
    : { kind: 'real' }
}

function moveAway(from: string, to: string): void {
  try {
    move(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    // A script may have closed the folder that it made this in, or this itself.
    chmodSync(dirname(from), 0o700)
    if (lstatSync(from).isDirectory()) chmodSync(from, 0o700)
    move(from, to)
  }
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    rmSync(from, { recursive: true, force: true })
  }
}
