import { lstatSync, opendirSync, realpathSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { Diagnostic } from '@shared/domain/skill'
import { isInside } from '../../lib/contain'
import { errorCode, readInto } from '../store/safe-read'
import { NO_SIG, sigOf } from './stat-sig'
import type { Sig } from './stat-sig'
import { brokenLink, brokenSkillMd, leavingSkillMd, linkLeavesProject, unreadableFolder } from './unread'

/** What one folder is, found with as few calls as there can be: one open tells it of nearly every skill. */
export type Probe =
  | {
      is: 'skill'
      /** Name of SKILL.md as it stands. */
      file: string
      /** The skill's own folder without links. */
      realDir: string
      linked: boolean
      sig: Sig
      /** Begins with the first bytes of SKILL.md, until the next probe; null for what is no readable file. */
      head: Buffer | null
      /** How many of `head` are of this file. */
      length: number
      /** They are all there is. */
      complete: boolean
    }
  | { is: 'folder' }
  | { is: 'unread'; problem: Diagnostic }
  | { is: 'gone' }

const HEAD = 4096
/** Folders and links of one folder that are looked at: as many skills as that fit into one root. */
const MAX_ENTRIES = 50_000
/** Entries of any kind that are listed for them, which takes well under a second. */
const MAX_LISTED = 500_000
const NO_FOLLOW_WORKS = process.platform !== 'win32'
const scratch = Buffer.allocUnsafe(HEAD)

/** `real` must be without links; SKILL.md may be one, which in a project (`containIn`) must not leave it. */
export function probe(real: string, containIn: string | null): Probe {
  try {
    const path = `${real}${sep}SKILL.md`
    if (!NO_FOLLOW_WORKS && lstatSync(path).isSymbolicLink()) return probeLink(real, 'SKILL.md', containIn)
    return probeFile(real, 'SKILL.md', path)
  } catch (error) {
    return probeOther({ real, containIn, code: errorCode(error) })
  }
}

/**
 * Folders, links and files called SKILL.md of a folder by name, at most 50,000 of at most 500,000 entries; null when it
 * can't be read. Never waits long for a large one.
 */
export function entriesOf(dir: string): { entries: Dirent[]; cut: boolean } | null {
  const entries: Dirent[] = []
  let listed = 0
  try {
    const open = opendirSync(dir, { bufferSize: 1024 })
    try {
      for (let entry = open.readSync(); entry && listed < MAX_LISTED; entry = open.readSync()) {
        listed += 1
        if (isWanted(entry) && entries.push(entry) > MAX_ENTRIES) break
      }
    } finally {
      open.closeSync()
    }
    const cut = entries.length > MAX_ENTRIES || listed === MAX_LISTED
    if (entries.length > MAX_ENTRIES) entries.pop()
    return { entries: inOrder(entries), cut }
  } catch {
    return null // not readable or gone since: the caller lists it with the reason
  }
}

/** By name. Names alone are put in order several times as fast as with a function that compares. */
function inOrder(entries: readonly Dirent[]): Dirent[] {
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return [...byName.keys()].sort().map((name) => byName.get(name)!)
}

function isWanted(entry: Dirent): boolean {
  return entry.isDirectory() || entry.isSymbolicLink() || /^skill\.md$/i.test(entry.name)
}

/** A link that stands where a folder could: the folder it leads to, why it is not followed, or null for a file. */
export function followLink(dir: string, containIn: string | null): { real: string } | Diagnostic | null {
  try {
    const real = realpathSync.native(dir)
    if (!statSync(real).isDirectory()) return null
    return containIn === null || isInside(containIn, real) ? { real } : linkLeavesProject()
  } catch {
    return brokenLink()
  }
}

function probeFile(real: string, file: string, path: string): Probe {
  const { stat, length } = readInto(path, scratch)
  if (stat.isDirectory()) return unopened(real, file) // what has the name of the file must be one
  return {
    is: 'skill',
    file,
    realDir: real,
    linked: false,
    sig: sigOf(stat),
    head: stat.isFile() ? scratch : null,
    length,
    complete: length < HEAD,
  }
}

interface Other {
  real: string
  containIn: string | null
  /** Why `SKILL.md` could not be opened. */
  code: string
}

/** `SKILL.md` is missing, a link, or can't be opened. */
function probeOther({ real, containIn, code }: Other): Probe {
  const listed = entriesOf(real)
  if (!listed) return lstatSync(real, { throwIfNoEntry: false }) ? unread(unreadableFolder()) : { is: 'gone' }
  const found = pickSkillMd(listed.entries)
  if (!found) return { is: 'folder' }
  if (found.isSymbolicLink()) return probeLink(real, found.name, containIn)
  if (code === 'ENOENT') {
    try {
      return probeFile(real, found.name, join(real, found.name))
    } catch {
      return unopened(real, found.name)
    }
  }
  return unopened(real, found.name)
}

/** A skill whose SKILL.md is there but can't be opened: broken, with the reason that a full read gives. */
function unopened(real: string, file: string): Probe {
  return {
    is: 'skill',
    file,
    realDir: real,
    linked: false,
    sig: NO_SIG,
    head: null,
    length: 0,
    complete: false,
  }
}

function probeLink(real: string, file: string, containIn: string | null): Probe {
  const target = realOrNull(join(real, file))
  if (target === null) return unread(brokenSkillMd())
  if (containIn !== null && !isInside(containIn, target)) return unread(leavingSkillMd())
  const realDir = /^skill\.md$/i.test(basename(target)) ? dirname(target) : real
  try {
    const found = probeFile(realDir, file, target)
    return found.is === 'skill' ? { ...found, linked: true } : found
  } catch {
    return { ...unopened(realDir, file), linked: true } as Probe
  }
}

/** `SKILL.md`, else `skill.md`, else the first of any other case. */
function pickSkillMd(entries: readonly Dirent[]): Dirent | undefined {
  const named = entries.filter((entry) => !entry.isDirectory() && /^skill\.md$/i.test(entry.name))
  return ['SKILL.md', 'skill.md'].map((name) => named.find((e) => e.name === name)).find(Boolean) ?? named[0]
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null // leads nowhere, or was deleted just now
  }
}

function unread(reason: Diagnostic): Probe {
  return { is: 'unread', problem: reason }
}
