import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isInside } from '../lib/contain'
import { codeOf } from './codes'
import { namesIn } from './durable'
import type { PlaceFacts } from './plan'

/** A folder for skills, before it was looked at. */
export interface Wanted {
  dir: string
  label: string
  shown: string
  /** Below this folder no part of the path may be a link: that of a project could lead anywhere. Null: a person's own. */
  noLinksBelow: string | null
  /** Why nothing is written there, whatever is on disk. */
  refusal: string | null
}

/** The folder as it is on disk: its real path, what is in it, and why nothing can be written there. */
export function lookAtPlace({ dir, label, shown, noLinksBelow, refusal }: Wanted): PlaceFacts {
  const real = realAsFarAsThere(dir)
  const facts: PlaceFacts = { dir: real, label, shown, names: [], refusal, inGit: isInGit(real) }
  if (refusal !== null) return facts
  if (noLinksBelow !== null && !isPlainBelow(noLinksBelow, real, dir)) {
    return { ...facts, refusal: `A part of ${shown} is a link, so Satchel writes nothing there.` }
  }
  const above = deepestThere(real)
  if (!lstatSync(above).isDirectory()) {
    return { ...facts, refusal: `A part of ${shown} is a file, so no folder can be made there.` }
  }
  try {
    return { ...facts, names: above === real ? namesIn(real) : [] }
  } catch (error) {
    return { ...facts, refusal: `${shown} can't be read (${codeOf(error)}).` }
  }
}

/** The real path of what is there, with the rest behind it. */
export function realAsFarAsThere(dir: string): string {
  const above = deepestThere(dir)
  try {
    return join(realpathSync(above), relative(above, dir))
  } catch {
    return dir // a link that leads nowhere: making the folder fails with its reason
  }
}

function deepestThere(dir: string): string {
  let at = dir
  while (dirname(at) !== at && !isThere(at)) at = dirname(at)
  return at
}

function isPlainBelow(anchor: string, real: string, dir: string): boolean {
  const top = realAsFarAsThere(anchor)
  return isInside(top, real) && relative(top, real) === relative(anchor, dir)
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return false
    throw error
  }
}

/** Whether a folder lies in a checkout: `.git` is a folder, or a file in a worktree. */
export function isInGit(dir: string): boolean {
  for (let at = dir; ; at = dirname(at)) {
    if (isThere(join(at, '.git'))) return true
    if (dirname(at) === at) return false
  }
}

/** A path for people: from the home folder or the project on. */
export function shownBelow(folders: readonly { dir: string; shown: string }[], path: string): string {
  const found = folders.find(({ dir }) => isInside(dir, path))
  if (!found) return path
  const rest = relative(found.dir, path).split(sep).join('/')
  return rest === '' ? found.shown : `${found.shown}/${rest}`
}

/** How a project's folder begins a path for people. */
export function projectShown(dir: string): { dir: string; shown: string } {
  return { dir, shown: basename(dir) }
}
