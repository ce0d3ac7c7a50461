import { lstatSync, realpathSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { relative, sep } from 'node:path'
import type { Diagnostic } from '@shared/domain/skill'
import { isInside } from '../../lib/contain'
import { entriesOf, followLink, probe } from './probe'
import type { Probe } from './probe'
import { errorCode } from '../store/safe-read'
import type { Entry, Folder, RootScan, Skill } from './scan-state'
import { isFresh, sameSig, sigOf } from './stat-sig'
import type { Sig } from './stat-sig'
import { nameNotUtf8, unreadableFolder } from './unread'

/** What a look needs besides the root. */
export interface Look {
  /** Number of the look; rises. */
  number: number
  /** Milliseconds since 1970. */
  now(): number
  /** Takes what was found of a skill that is new or changed. `head` is only valid during the call. */
  read(skill: Skill, found: Extract<Probe, { is: 'skill' }>): void
  /** True when an earlier start knew of this SKILL.md. */
  recalls(skillMd: string): boolean
  /** Brings back what it knew; false when the file had other times then. */
  recall(skill: Skill, sig: Sig): boolean
  /** A skill or the entries of a folder are not those of the look before. */
  moved(): void
  /** A folder was asked what it is, which took so many milliseconds. */
  probed(ms: number): void
  /** Entries that are still to be looked at; the last one is next. */
  stack: Entry[]
}

const SKIPPED = new Set(['.git', 'node_modules', '.venv'])
/** How a folder is called while `arranging` makes or removes it. */
const UNDER_WAY = '.satchel-'

function isSkipped(name: string): boolean {
  return SKIPPED.has(name) || name.startsWith(UNDER_WAY)
}

export const MAX_DEPTH = 6
/** Folders that are no skills; skills themselves don't count, so that thousands of them fit into one root. */
const MAX_FOLDERS = 2000

interface Walk {
  root: RootScan
  look: Look
  /** Real folders so far, so that each counts once and loops of links end. */
  visited: string[]
  /** The same, from the first link on: without one nothing can be met twice. */
  seen: Set<string> | null
  stack: Entry[]
}

/**
 * Finds the skills below one root in path order: folders that hold a SKILL.md in any case, at most 6 levels deep, and
 * the known ones inside them. What is unchanged costs one stat call for each skill and each folder; nothing is read
 * through a link that leaves the project of a project root. Yields after each skill and each folder (null), so that
 * the caller can let other work in. Never throws for what is on disk.
 */
export function* discover(root: RootScan, look: Look): Generator<Skill | null, void> {
  const { spec } = root
  root.folders.clear()
  root.note = ''
  const top = topOf(root)
  root.top = top
  if (!top) return
  look.stack = [top]
  const walk: Walk = { root, look, visited: [], seen: null, stack: look.stack }
  for (let entry = walk.stack.pop(); entry; entry = walk.stack.pop()) {
    if (root.folders.size > MAX_FOLDERS) {
      root.note = `Only the first ${MAX_FOLDERS} folders were searched.`
      break
    }
    yield spec.mountedAs === null && entry === top ? visitTop(walk, entry) : visit(walk, entry)
  }
}

/** Looks at one entry of a walk that found it before, as after an event. */
export function revisit(root: RootScan, look: Look, entry: Entry): Skill | null {
  return visit({ root, look, visited: [], seen: null, stack: [] }, entry)
}

/** The root as an entry; null, with the state and the note set, when there is nothing to look at. */
function topOf(root: RootScan): Entry | null {
  const { dir, containIn, mountedAs } = root.spec
  try {
    const real = realpathSync.native(dir)
    root.state = 'empty'
    if (containIn !== null && !isInside(containIn, real)) {
      root.note = 'It is a link that leaves the project, so it is not read.'
      root.state = 'unreadable'
      return null
    }
    if (root.top?.real === real) return root.top
    return { dir, real, link: false, depth: mountedAs === null ? 0 : 1, parent: null, is: null }
  } catch (error) {
    root.state = errorCode(error) === 'ENOENT' ? 'missing' : 'unreadable'
    return null
  }
}

/** The root itself is no skill, whatever it holds. */
function visitTop(walk: Walk, entry: Entry): null {
  isMetAgain(walk, entry)
  const known = entry.is?.kind === 'folder' && keepFolder(walk, entry, entry.is)
  if (!known && !readFolder(walk, entry)) walk.root.state = 'unreadable'
  return null
}

function visit(walk: Walk, entry: Entry): Skill | null {
  if (entry.link) {
    const followed = followLink(entry.dir, walk.root.spec.containIn)
    if (followed === null) return null
    // A skill inside another that is gone is a change of the outer one, not a broken link.
    if (!('real' in followed)) return entry.parent ? null : unread(walk, entry, followed)
    entry.real = followed.real
  }
  if (isMetAgain(walk, entry)) return null
  const known = entry.is
  if (known === null) return recall(walk, entry) ?? examine(walk, entry)
  if (known.kind === 'skill') return isUnchanged(known, entry) ? keep(walk, known) : examine(walk, entry)
  return keepFolder(walk, entry, known) ? null : examine(walk, entry)
}

function isMetAgain(walk: Walk, { real, link }: Entry): boolean {
  if (link) walk.seen ??= new Set(walk.visited)
  if (walk.seen === null) {
    walk.visited.push(real)
    return false
  }
  if (walk.seen.has(real)) return true
  walk.seen.add(real)
  return false
}

/** What it is now, whatever it was. */
function examine(walk: Walk, entry: Entry): Skill | null {
  const started = performance.now()
  const found = probe(entry.real, walk.root.spec.containIn)
  walk.look.probed(performance.now() - started)
  if (found.is === 'skill') return take(walk, entry, found)
  if (found.is === 'unread') return unread(walk, entry, found.problem)
  // A name that is no UTF-8 is told with U+FFFD in it, and under that name there is nothing.
  if (found.is === 'gone') return entry.dir.includes('\ufffd') ? unread(walk, entry, nameNotUtf8()) : null
  if (readFolder(walk, entry)) return null
  return unread(walk, entry, unreadableFolder())
}

function isUnchanged(skill: Skill, entry: Entry): boolean {
  if (skill.problem || skill.linked || skill.fresh || skill.foundReal !== entry.real) return false
  return sameSig(skill.sig, plainFile(skill.skillMd!))
}

/** Of a regular file that is no link; null for everything else. */
function plainFile(path: string): Sig | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat?.isFile() ? sigOf(stat) : null
  } catch {
    return null // its folder may not be entered: a probe says so
  }
}

/** The skill with what is known inside it. */
function keep(walk: Walk, skill: Skill): Skill {
  skill.seenIn = walk.look.number
  walk.root.skills.add(skill)
  for (let at = skill.children.length - 1; at >= 0; at--) walk.stack.push(skill.children[at]!)
  return skill
}

function recall(walk: Walk, entry: Entry): Skill | null {
  const path = `${entry.dir}${sep}SKILL.md`
  if (!walk.look.recalls(path)) return null
  const sig = plainFile(path)
  if (!sig || isFresh(sig, walk.look.now())) return null
  const skill = newSkill(walk, entry)
  Object.assign(skill, { skillMd: path, sig, realDir: entry.real })
  if (!walk.look.recall(skill, sig)) return null
  entry.is = skill
  return keep(walk, skill)
}

function take(walk: Walk, entry: Entry, found: Extract<Probe, { is: 'skill' }>): Skill {
  const before = entry.is?.kind === 'skill' ? entry.is : null
  const skill = before ?? newSkill(walk, entry)
  entry.is = skill
  const isElsewhere = skill.realDir !== found.realDir || skill.problem !== null
  if (isElsewhere) walk.look.moved()
  const changed = isElsewhere || !sameSig(skill.sig, found.sig)
  if (before && changed) skill.replaced = true
  const again = changed || skill.fresh || skill.known === 'nothing'
  skill.skillMd = `${entry.dir}${sep}${found.file}`
  skill.realDir = found.realDir
  skill.foundReal = entry.real
  skill.linked = found.linked
  skill.problem = null
  skill.sig = found.sig
  skill.fresh = isFresh(found.sig, walk.look.now())
  if (again) walk.look.read(skill, found)
  return keep(walk, skill)
}

function unread(walk: Walk, entry: Entry, reason: Diagnostic): Skill {
  const skill = entry.is?.kind === 'skill' ? entry.is : newSkill(walk, entry)
  entry.is = skill
  if (skill.problem?.code !== reason.code || skill.problem.message !== reason.message) {
    walk.look.moved()
    Object.assign(skill, {
      problem: reason,
      sig: null,
      facts: null,
      record: null,
      known: 'all',
      children: [],
    })
    Object.assign(skill, { skillMd: null, realDir: entry.dir, foundReal: entry.dir, linked: false })
  }
  return keep(walk, skill)
}

function newSkill({ root, look }: Walk, entry: Entry): Skill {
  look.moved()
  return {
    kind: 'skill',
    root,
    entry,
    dir: entry.dir,
    realDir: entry.real,
    foundReal: entry.real,
    skillMd: null,
    linked: false,
    sig: null,
    fresh: false,
    replaced: false,
    problem: null,
    depth: entry.depth,
    parent: entry.parent,
    children: [],
    facts: null,
    record: null,
    toldAs: null,
    known: 'nothing',
    seenIn: look.number,
  }
}

/** True when the folder is as it was: its entries need not be read again. */
function keepFolder(walk: Walk, entry: Entry, folder: Folder): boolean {
  if (folder.fresh || folder.real !== entry.real) return false
  const stat = statSync(entry.real, { throwIfNoEntry: false })
  if (!stat || !sameSig(folder.sig, sigOf(stat))) return false
  enter(walk, folder)
  return true
}

function enter({ root, stack }: Walk, folder: Folder): void {
  root.folders.add(folder)
  if (folder.cut) {
    root.note = 'A folder has more than 50,000 folders and links; the others were not looked at.'
  } else if (folder.deep && root.note === '') root.note = deepNote(root, folder)
  for (let at = folder.entries.length - 1; at >= 0; at--) stack.push(folder.entries[at]!)
}

function deepNote({ top }: RootScan, { real }: Folder): string {
  const from = top && isInside(top.real, real) ? relative(top.real, real).split(sep).join('/') : real
  return `Folders more than ${MAX_DEPTH} levels down are not searched, as those in ${from}.`
}

/** Reads the entries anew; what is still there keeps what is known of it. False when it can't be read. */
function readFolder(walk: Walk, entry: Entry): boolean {
  const stat = attempt(() => statSync(entry.real))
  const listed = stat?.isDirectory() ? entriesOf(entry.real) : null
  if (!stat || !listed) return false
  const before = entry.is?.kind === 'folder' && entry.is.real === entry.real ? entry.is.entries : []
  const sig = sigOf(stat)
  const isDeepest = entry.depth >= MAX_DEPTH
  const folder: Folder = {
    kind: 'folder',
    real: entry.real,
    sig,
    fresh: isFresh(sig, walk.look.now()),
    entries: isDeepest ? [] : entriesBelow(entry, listed.entries, before),
    cut: listed.cut,
    deep: isDeepest && listed.entries.some((item) => item.isDirectory() && !isSkipped(item.name)),
  }
  entry.is = folder
  walk.look.moved()
  enter(walk, folder)
  return true
}

function entriesBelow(entry: Entry, found: readonly Dirent[], before: readonly Entry[]): Entry[] {
  const known = new Map(before.map((item) => [item.dir, item]))
  const depth = entry.depth + 1
  // Joined by hand: normalising thousands of paths that are normal takes longer than reading them.
  const [dirAbove, realAbove] = [withSep(entry.dir), withSep(entry.real)]
  return found
    .filter((item) => (item.isDirectory() || item.isSymbolicLink()) && !isSkipped(item.name))
    .map((item) => {
      const link = item.isSymbolicLink()
      const dir = dirAbove + item.name
      const same = known.get(dir)
      if (same?.link === link) return same
      return { dir, real: link ? '' : realAbove + item.name, link, depth, parent: null, is: null }
    })
}

function withSep(dir: string): string {
  return dir.endsWith(sep) ? dir : dir + sep
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null // gone or not readable: the caller says so
  }
}
