import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { isInside } from '../../lib/contain'
import type { Stats } from 'node:fs'
import { join } from 'node:path'

/** One file of a skill: a regular file, or a link inside the skill that counts as the content it leads to. */
export interface TreeFile {
  /** Relative to the skill, with /. */
  path: string
  /** Where its bytes are, without any link. */
  real: string
  size: number
  /** The owner may execute it; never set where the platform has no such bit. */
  executable: boolean
  /** Milliseconds since 1970 of the last change of its content, name or rights. */
  changed: number
}

export interface Tree {
  /** In the order of the bytes of their paths. */
  files: TreeFile[]
  /** Real folders that were read. */
  dirs: string[]
  /** Why no script of the skill may run: the first thing that was not followed. Null when all of it was. */
  blocked: string | null
  /** There are more files than the limit. */
  cut: boolean
  /** Symbolic links, in the order they were met. */
  links: TreeLink[]
}

export interface TreeLink {
  /** Relative to the skill, with /. */
  path: string
  /** As it stands in the link. */
  target: string
  /** It leads out of the skill. */
  leaves: boolean
  /** It leads nowhere, or to itself. */
  broken: boolean
}

const MAX_DEPTH = 64

export interface TreeRules {
  maxFiles: number
  /** Files of the app itself: package stores link equal files of different packages. */
  allowHardLinks: boolean
}

interface Walk {
  root: string
  max: number
  tree: Tree
  /** Names of each file by device and inode, to notice hard links to files outside. */
  links: Map<string, { path: string; nlink: number; seen: Set<string> }>
}

/**
 * Lists the files of a skill, `.git` left out (`approvals.md` 8). Links that stay inside count as what they lead to;
 * links that leave the skill, special files, hard links to files outside (AP-3) and what can't be read are not
 * followed and named in `blocked`. `root` must be a real path. Never throws.
 */
export function listTree(root: string, { maxFiles, allowHardLinks }: TreeRules): Tree {
  const tree: Tree = { files: [], dirs: [], blocked: null, cut: false, links: [] }
  const walk: Walk = { root, max: maxFiles, tree, links: new Map() }
  walkDir(walk, root, '', [])
  if (!allowHardLinks && !tree.cut) findHardLinks(walk)
  tree.files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
  return tree
}

function findHardLinks(walk: Walk): void {
  for (const { path, nlink, seen } of walk.links.values()) {
    if (nlink > seen.size) block(walk, `"${path}" is a hard link to a file outside the skill`)
  }
}

function walkDir(walk: Walk, real: string, path: string, above: readonly string[]): void {
  const { tree } = walk
  if (tree.cut) return
  if (above.includes(real)) return block(walk, `"${path}" is a link that leads back to a folder it lies in`)
  if (above.length > MAX_DEPTH) return block(walk, `"${path}" is nested deeper than ${MAX_DEPTH} folders`)
  if (tree.dirs.length > walk.max) {
    tree.cut = true
    return
  }
  tree.dirs.push(real)
  for (const name of namesIn(walk, real, path)) {
    if (name === '.git') continue
    visit(walk, {
      at: join(real, name),
      path: path === '' ? name : `${path}/${name}`,
      above: [...above, real],
    })
  }
}

function namesIn(walk: Walk, real: string, path: string): string[] {
  try {
    return readdirSync(real).sort()
  } catch {
    // Gone or not readable: said in `blocked`, the rest of the skill still counts.
    block(walk, path === '' ? 'its folder can not be read' : `the folder "${path}" can not be read`)
    return []
  }
}

interface Place {
  at: string
  path: string
  above: readonly string[]
}

function visit(walk: Walk, { at, path, above }: Place): void {
  const stat = attempt(() => lstatSync(at))
  if (!stat) return block(walk, `"${path}" can not be read`)
  if (stat.isSymbolicLink()) return visitLink(walk, { at, path, above })
  if (stat.isDirectory()) return walkDir(walk, at, path, above)
  if (!stat.isFile()) return block(walk, `"${path}" is a special file, not a file or folder`)
  addFile(walk, { path, real: at }, stat)
}

function visitLink(walk: Walk, { at, path, above }: Place): void {
  const real = attempt(() => realpathSync(at))
  walk.tree.links.push({
    path,
    target: attempt(() => readlinkSync(at)) ?? '',
    leaves: real !== undefined && !isInside(walk.root, real),
    broken: real === undefined,
  })
  if (!real) return block(walk, `"${path}" is a link that leads nowhere`)
  if (!isInside(walk.root, real)) return block(walk, `"${path}" is a link that leaves the skill`)
  const stat = attempt(() => statSync(real))
  if (stat?.isDirectory()) return walkDir(walk, real, path, above)
  if (!stat?.isFile()) return block(walk, `"${path}" is a link to a special file`)
  addFile(walk, { path, real }, stat)
}

function addFile(walk: Walk, { path, real }: { path: string; real: string }, stat: Stats): void {
  if (walk.tree.files.length >= walk.max) {
    walk.tree.cut = true
    return
  }
  const executable = process.platform !== 'win32' && (stat.mode & 0o100) !== 0
  walk.tree.files.push({ path, real, size: stat.size, executable, changed: stat.ctimeMs })
  if (stat.nlink <= 1) return
  const id = `${stat.dev}:${stat.ino}`
  const known = walk.links.get(id) ?? { path, nlink: stat.nlink, seen: new Set<string>() }
  known.seen.add(real)
  walk.links.set(id, known)
}

function block(walk: Walk, reason: string): void {
  walk.tree.blocked ??= reason
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined // gone, not readable, or a loop of links: the caller says so
  }
}
