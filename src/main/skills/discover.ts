import { readdirSync, realpathSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '@shared/domain/skill'
import { problem } from '@shared/skill-md/problem'
import type { RootSpec } from './record'
import { errorCode } from './safe-read'
import { isInside } from '../lib/contain'

/** A folder that is a skill, or would be one if it could be read. */
export interface Found {
  /** As it was found below the root. */
  dir: string
  /** Without links; equal to `dir` where it may not be followed. */
  realDir: string
  /** Path of SKILL.md below `dir`; null when nothing may be read. */
  skillMd: string | null
  problems: Diagnostic[]
}

export interface Discovery {
  state: 'found' | 'missing' | 'empty' | 'unreadable'
  found: Found[]
  /** Real folders whose entries were looked at, for watching. */
  dirs: string[]
  note?: string
}

const SKIPPED = new Set(['.git', 'node_modules', '.venv'])
const MAX_DEPTH = 6
/** Folders that are no skills; skills themselves don't count, so that thousands of them fit into one root. */
const MAX_FOLDERS = 2000

interface Search {
  spec: RootSpec
  seen: Set<string>
  folders: number
  found: Found[]
  dirs: string[]
}

interface Folder {
  dir: string
  realDir: string
  depth: number
}

/**
 * Finds the skills below one root in path order: folders that hold a SKILL.md in any case, at most 6 levels deep, none
 * inside another skill. Links are followed; each real folder counts once, so loops end. Yields between folders, so
 * that the caller can let other work in. Never throws for what is on disk.
 */
export function* discover(spec: RootSpec): Generator<undefined, Discovery> {
  const realDir = realOf(spec.dir)
  if (realDir.path === undefined) return nothing(realDir.code)
  if (spec.containIn !== null && !isInside(spec.containIn, realDir.path)) {
    return { ...nothing('EACCES'), note: 'It is a link that leaves the project, so it is not read.' }
  }
  const search: Search = { spec, seen: new Set(), folders: 0, found: [], dirs: [] }
  const stack: Folder[] = [{ dir: spec.dir, realDir: realDir.path, depth: 0 }]
  for (let folder = stack.pop(); folder && search.folders <= MAX_FOLDERS; folder = stack.pop()) {
    const below = look(search, folder)
    if (below === 'unreadable' && folder.depth === 0) return nothing('EACCES')
    if (below !== 'unreadable') stack.push(...below.reverse())
    yield
  }
  const found = search.found.sort((a, b) => (a.dir < b.dir ? -1 : 1))
  const discovery: Discovery = { state: found.length > 0 ? 'found' : 'empty', found, dirs: search.dirs }
  if (search.folders <= MAX_FOLDERS) return discovery
  return { ...discovery, note: `Only the first ${MAX_FOLDERS} folders were searched.` }
}

/** Looks at one folder: it is a skill, or its sub-folders are looked at next. */
function look(search: Search, { dir, realDir, depth }: Folder): Folder[] | 'unreadable' {
  if (search.seen.has(realDir)) return []
  search.seen.add(realDir)
  const entries = entriesOf(realDir)
  if (!entries) {
    if (depth > 0) search.found.push(unread(dir, unreadableFolder()))
    return 'unreadable'
  }
  const skillMd = depth > 0 ? pickSkillMd(entries) : undefined
  if (skillMd !== undefined) {
    search.found.push({ dir, realDir, skillMd: join(dir, skillMd), problems: caseProblem(skillMd) })
    return []
  }
  search.folders += 1
  search.dirs.push(realDir)
  if (depth >= MAX_DEPTH) return []
  return entries
    .filter((entry) => !SKIPPED.has(entry.name))
    .flatMap((entry) => subFolder(search, entry, { dir, realDir, depth }))
}

function subFolder(search: Search, entry: Dirent, parent: Folder): Folder[] {
  const dir = join(parent.dir, entry.name)
  const depth = parent.depth + 1
  if (entry.isDirectory()) return [{ dir, realDir: join(parent.realDir, entry.name), depth }]
  if (!entry.isSymbolicLink()) return []
  const real = realOf(dir)
  if (real.path === undefined) {
    search.found.push(unread(dir, brokenLink()))
    return []
  }
  if (!isFolder(real.path)) return []
  const { containIn } = search.spec
  if (containIn !== null && !isInside(containIn, real.path)) {
    search.found.push(unread(dir, linkLeavesProject()))
    return []
  }
  return [{ dir, realDir: real.path, depth }]
}

/** `SKILL.md`, else `skill.md`, else the first of any other case. */
function pickSkillMd(entries: readonly Dirent[]): string | undefined {
  const names = entries
    .filter((entry) => !entry.isDirectory() && /^skill\.md$/i.test(entry.name))
    .map(({ name }) => name)
  return ['SKILL.md', 'skill.md'].find((name) => names.includes(name)) ?? names[0]
}

function entriesOf(dir: string): Dirent[] | null {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return null // not readable or gone since: listed with the reason
  }
}

function realOf(path: string): { path: string; code?: never } | { path?: never; code: string } {
  try {
    return { path: realpathSync(path) }
  } catch (error) {
    return { code: errorCode(error) }
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function nothing(code: string): Discovery {
  return { state: code === 'ENOENT' ? 'missing' : 'unreadable', found: [], dirs: [] }
}

function unread(dir: string, reason: Diagnostic): Found {
  return { dir, realDir: dir, skillMd: null, problems: [reason] }
}

function unreadableFolder(): Diagnostic {
  return problem('error', 'unreadable', 'This folder can not be read.', {
    fix: 'Give yourself the right to read it, or delete it.',
  })
}

function brokenLink(): Diagnostic {
  return problem('error', 'link-broken', 'This is a link that leads nowhere.', {
    fix: 'Delete it, or put back the folder that it leads to.',
  })
}

function linkLeavesProject(): Diagnostic {
  return problem(
    'error',
    'link-leaves-project',
    'This is a link that leaves the project, so it is not followed.',
    {
      fix: 'Copy the skill into the project, or put it into your personal skills.',
    },
  )
}

function caseProblem(name: string): Diagnostic[] {
  if (name === 'SKILL.md') return []
  return [
    problem('warning', 'skill-md-case', `The file is named "${name}".`, {
      fix: 'Rename it to SKILL.md: most other tools do not find it on every system.',
    }),
  ]
}
