import { isUtf8 } from 'node:buffer'
import { lstatSync, readdirSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@shared/errors'
import { PROTECTED_PATHS } from '../../lib/protected-paths'
import { refuseName, shown } from './byte-names'
import { DATA, OF_PACKAGES } from './links'

/*
 * A file can have two names. Where one of them is protected (SB-5), writing to the other changes what the app, git or
 * an editor trusts (attack case A39). A script can't make such a name, since protected paths are mounts of their own;
 * one that stood there before is mounted read-only too (ADR 0026). What package managers install they share with a store
 * by such names: those are not looked for (ADR 0066).
 */

/** Entries looked at: of the protected paths, and of the project, which is searched only where a file has more names. */
const MAX_ENTRIES = 20_000
/** Mounts of one run for this. */
const MAX_TWINS = 200

/** A protected file that has another name somewhere. */
interface Named {
  path: string
  /** Names that were not met yet. */
  missing: number
}

/**
 * Paths in the workspace that are other names of protected files. Throws where there are too many to look at: what was
 * not found would be open.
 */
export function protectedTwins(workspace: string, nested: readonly string[] = []): string[] {
  const closed = new Set([...PROTECTED_PATHS, ...nested])
  const named = filesWithMoreNames(workspace, closed)
  if (named.size === 0) return []
  const twins: string[] = []
  const done = walk(workspace, '', (path, stat, isText) => {
    if (isText && closed.has(path)) return 'skip'
    const file = named.get(idOf(stat))
    if (!file || !stat.isFile()) return 'on'
    // No mount can be told of it.
    if (!isText) refuseName(path)
    twins.push(path)
    file.missing -= 1
    return [...named.values()].every(({ missing }) => missing === 0) ? 'stop' : 'on'
  })
  if (!done || twins.length > MAX_TWINS) refuse([...named.values()][0]?.path ?? '')
  return twins
}

function refuse(path: string): never {
  throw new AppError(
    'sandbox_failed',
    `"${path}" is a hard link: it has other names, and the project is too large to find them all, so a script could ` +
      'change it. Nothing ran. Replace it by a copy of itself, or set the sandbox to reading under Settings.',
    { path },
  )
}

function filesWithMoreNames(workspace: string, closed: ReadonlySet<string>): Map<string, Named> {
  const named = new Map<string, Named>()
  const note = (path: string, stat: Stats) => {
    if (!stat.isFile() || stat.nlink < 2) return
    const known = named.get(idOf(stat)) ?? { path, missing: stat.nlink }
    named.set(idOf(stat), { ...known, missing: known.missing - 1 })
  }
  for (const path of closed) {
    if (OF_PACKAGES.test(path)) continue
    const stat = lookAt(join(workspace, path))
    if (!stat || leadsElsewhere(workspace, path)) continue
    note(path, stat)
    const done = walk(workspace, path, (below, found) => {
      note(below, found)
      return DATA.test(below) ? 'skip' : 'on'
    })
    if (!done) refuse(path)
  }
  return named
}

/** A link in the way is guarded, not mounted: what it leads to is not here. */
function leadsElsewhere(workspace: string, path: string): boolean {
  const parts = path.split('/')
  return parts.some(
    (_, index) => lookAt(join(workspace, ...parts.slice(0, index + 1)))?.isSymbolicLink() === true,
  )
}

/** Goes through a folder without following links; false: there were too many entries. */
function walk(
  workspace: string,
  from: string,
  visit: (path: string, stat: Stats, isText: boolean) => 'on' | 'skip' | 'stop',
): boolean {
  const left: Buffer[] = [Buffer.from(from)]
  const root = Buffer.from(`${workspace}/`)
  let seen = 0
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    for (const name of namesIn(Buffer.concat([root, folder]))) {
      const path = folder.length === 0 ? name : Buffer.concat([folder, SLASH, name])
      const stat = lookAt(Buffer.concat([root, path]))
      if (!stat) continue
      if ((seen += 1) > MAX_ENTRIES) return false
      const next = visit(shown(path), stat, isUtf8(path))
      if (next === 'stop') return true
      if (next === 'on' && stat.isDirectory()) left.push(path)
    }
  }
  return true
}

const SLASH = Buffer.from('/')

/** A name is bytes, which need not be UTF-8 (ADR 0054). */
function namesIn(folder: Buffer): Buffer[] {
  try {
    return readdirSync(folder, { encoding: 'buffer' })
  } catch {
    // Not a folder, or closed to the person and so to the script.
    return []
  }
}

function lookAt(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // Below a file, or closed to the person and so to the script.
    return undefined
  }
}

function idOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}
