import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { rawPath, type RawPath } from './state'

/** True for a folder whose contents some tool makes again: changes in it are seen, its files are not kept. */
export type IsIgnored = (path: RawPath) => boolean

/** Folders of package managers, environments and caches, wherever they lie. */
const MADE_BY_TOOLS: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  '.venv',
  'venv',
  '__pycache__',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.tox',
  '.nox',
  '.gradle',
  '.terraform',
  '.next',
  '.nuxt',
  '.turbo',
  '.parcel-cache',
])

const MAX_BYTES = 64_000

/**
 * What a project ignores: well-known folders, and plain names of folders (`dist/`, `/out`) in its `.gitignore`. Lines
 * with patterns or exceptions are left out: files that are kept without need do no harm, missing ones would. git itself
 * is not asked, because a project's own settings can make it run programs.
 */
export function createIgnored(root: string): IsIgnored {
  const rules = gitignoreOf(root)
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return MADE_BY_TOOLS.has(name) || rules.anywhere.has(name) || rules.exact.has(path)
  }
}

interface Rules {
  anywhere: Set<RawPath>
  exact: Set<RawPath>
}

function gitignoreOf(root: string): Rules {
  const rules: Rules = { anywhere: new Set(), exact: new Set() }
  const lines = textOf(join(root, '.gitignore')).split(/\r?\n/)
  // With exceptions a folder may be wanted after all.
  if (lines.some((line) => line.startsWith('!'))) return rules
  for (const line of lines) {
    const plain = /^(\/?)([^*?[\]\\#\s]+)\/$/.exec(line)
    if (!plain?.[2]) continue
    const isExact = plain[1] === '/' || plain[2].includes('/')
    ;(isExact ? rules.exact : rules.anywhere).add(rawPath(plain[2]))
  }
  return rules
}

/** '' where there is no such file; never waits for a FIFO. */
function textOf(path: string): string {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch {
    // None, or not for us: then nothing is ignored by it.
    return ''
  }
  try {
    if (!fstatSync(fd).isFile()) return ''
    const block = Buffer.alloc(MAX_BYTES)
    return block.toString('utf8', 0, readSync(fd, block, 0, MAX_BYTES, 0))
  } finally {
    closeSync(fd)
  }
}
