import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { RootSpec } from '../record'
import { readStart } from '../store/safe-read'

/** Where a checkout comes from. */
export interface GitOrigin {
  /** Of the remote `origin`, without user name and password; null: it has none. */
  url: string | null
  /** Short name of the branch; null: a commit without one is checked out. */
  ref: string | null
  /** Null before the first commit. */
  commit: string | null
}

const MAX_SMALL = 64 * 1024
const MAX_PACKED = 8 * 1024 * 1024
const MAX_LINKS = 5

interface GitDirs {
  /** Holds HEAD. */
  own: string
  /** Holds config, refs and packed-refs; another one for a worktree. */
  common: string
}

/**
 * Reads where a checkout comes from out of its `.git`, without starting git: ordinary checkouts, worktrees and
 * submodules, loose and packed refs. Null where the folder is no checkout.
 */
export function gitOrigin(checkout: string): GitOrigin | null {
  const dirs = gitDirs(join(checkout, '.git'))
  if (!dirs) return null
  const head = readText(join(dirs.own, 'HEAD'))
  if (head === null) return null
  const ref = /^ref: (\S+)/.exec(head)?.[1] ?? null
  return {
    url: remoteUrl(readText(join(dirs.common, 'config')) ?? ''),
    ref: ref === null ? null : ref.replace(/^refs\/heads\//, ''),
    commit: commitOf(head.trim(), dirs, 0),
  }
}

function gitDirs(dotGit: string): GitDirs | null {
  if (existsSync(join(dotGit, 'HEAD'))) return { own: dotGit, common: dotGit }
  const pointer = /^gitdir: (.+)/.exec(readText(dotGit) ?? '')?.[1]?.trim()
  if (pointer === undefined) return null
  const own = resolve(dirname(dotGit), pointer)
  const common = readText(join(own, 'commondir'))?.trim()
  return { own, common: common === undefined ? own : resolve(own, common) }
}

/** `value` is the text of HEAD or of a ref: a commit, or the name of another ref. */
function commitOf(value: string, dirs: GitDirs, links: number): string | null {
  if (/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(value)) return value
  const ref = /^ref: (refs\/\S+)$/.exec(value)?.[1]
  if (ref === undefined || ref.includes('..') || links >= MAX_LINKS) return null
  const loose = readText(join(dirs.own, ref)) ?? readText(join(dirs.common, ref))
  return loose === null ? packedCommit(ref, dirs) : commitOf(loose.trim(), dirs, links + 1)
}

function packedCommit(ref: string, { common }: GitDirs): string | null {
  const lines = (readText(join(common, 'packed-refs'), MAX_PACKED) ?? '').split('\n')
  const line = lines.find((text) => text.endsWith(` ${ref}`))
  return line === undefined ? null : (/^[0-9a-f]{40,64}/.exec(line)?.[0] ?? null)
}

function remoteUrl(config: string): string | null {
  const section = /^\[remote "origin"\][^[]*/m.exec(config)?.[0] ?? ''
  const url = /^\s*url\s*=\s*(.+?)\s*$/m.exec(section)?.[1]
  return url === undefined ? null : url.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1')
}

/** Null when there is no such file, or nothing that may be read. */
function readText(path: string, max = MAX_SMALL): string | null {
  try {
    return readStart(path, max).toString('utf8')
  } catch {
    return null // no such ref, or no checkout at all
  }
}

/** Where the checkout behind a source comes from, for people: `https://… (main 1a2b3c4)`; undefined for other roots. */
export function originOf({
  scope,
  containIn,
  plugin,
}: Pick<RootSpec, 'scope' | 'containIn' | 'plugin'>): string | undefined {
  // Of all personal roots only checkouts are kept from leading elsewhere.
  const origin = scope === 'personal' && containIn !== null && plugin === null ? gitOrigin(containIn) : null
  return origin ? [origin.url ?? 'no remote', `(${standOf(origin)})`].join(' ') : undefined
}

/** How a checkout is called on screen: `skills (main 1a2b3c4)`. */
export function describeOrigin(checkout: string, origin: GitOrigin | null): string {
  if (!origin) return basename(checkout)
  return `${basename(checkout)} (${standOf(origin)})`
}

function standOf({ ref, commit }: GitOrigin): string {
  return [ref, commit?.slice(0, 7)].filter(Boolean).join(' ') || 'no commit'
}
