import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pythonPath } from '@shared/skill-check/python-text'
import { strictErrors } from '@shared/skill-check/strict'
import type { StrictFolder } from '@shared/skill-check/strict'
import { errorCode, readStart } from '../../main/skills/store/safe-read'
import { isFile, kindOf, realOr, typedPath } from '../here/places'
import type { World } from '../world'

/** What the strict validator says of one path. */
export interface StrictVerdict {
  /** As the reference validator prints it. */
  path: string
  errors: string[]
}

/** Larger files are cut: no valid SKILL.md comes near it. */
const MAX_READ = 16 * 1024 * 1024

/** Checks one path as it was typed; a path of a SKILL.md stands for its folder (`format.md` 1.3). */
export function strictVerdict(world: World, typed: string, exact: boolean): StrictVerdict {
  const path = isSkillMd(world, typed) ? dirname(typed) : typed
  const found = strictFolder(world, path)
  const errors = 'unread' in found ? [unreadError(found, exact)] : strictErrors(found, { exact })
  return { path: pythonPath(path), errors }
}

/** What could not be read, and the code of Node's error. */
interface Unread {
  unread: 'The path' | 'The folder' | 'SKILL.md'
  path: string
  code: string
}

function isSkillMd(world: World, typed: string): boolean {
  return basename(typed).toLowerCase() === 'skill.md' && isFile(typedPath(world, typed))
}

function strictFolder(world: World, path: string): StrictFolder | Unread {
  const at = typedPath(world, path)
  const kind = kindOf(at)
  if (kind === 'closed') return { unread: 'The path', path, code: 'EACCES' }
  const folder = { path, kind, name: basename(realOr(at)), skillMd: null }
  if (kind !== 'folder') return folder
  const skillMd = skillMdOf(at, path)
  return skillMd !== null && 'unread' in skillMd ? skillMd : { ...folder, skillMd }
}

/** By its exact name, also where the file system ignores case. */
function skillMdOf(dir: string, path: string): StrictFolder['skillMd'] | Unread {
  const names = namesIn(dir)
  if (typeof names === 'string') return { unread: 'The folder', path, code: names }
  for (const name of ['SKILL.md', 'skill.md'] as const) {
    if (!names.has(name)) continue
    try {
      return { name, bytes: readStart(join(dir, name), MAX_READ) }
    } catch (error) {
      const code = errorCode(error)
      if (!NO_FILE.has(code)) return { unread: 'SKILL.md', path: join(path, name), code }
    }
  }
  return null
}

/** A folder, a link that leads nowhere or a special file of that name: it counts as missing. */
const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'ENOTFILE', 'ELOOP', 'ENXIO'])

/** The code of Node's error where it can't be read. */
function namesIn(dir: string): ReadonlySet<string> | string {
  try {
    return new Set(readdirSync(dir))
  } catch (error) {
    return errorCode(error)
  }
}

/** The reference does not catch this one: it ends with Python's own message. */
function unreadError({ unread, path, code }: Unread, exact: boolean): string {
  const denied = code === 'EACCES' || code === 'EPERM'
  if (!exact) return `${unread} can't be read: ${denied ? 'permission denied' : code}`
  const python = denied ? 'PermissionError: [Errno 13] Permission denied' : `OSError: ${code}`
  return `${python}: '${pythonPath(path)}'`
}

/** The lines of the reference validator: what is valid goes to stdout, the rest to stderr. */
export function strictLines(verdicts: readonly StrictVerdict[]): { out: string; err: string } {
  const valid = verdicts.filter(({ errors }) => errors.length === 0)
  const failed = verdicts.filter(({ errors }) => errors.length > 0)
  return {
    out: valid.map(({ path }) => `Valid skill: ${path}`).join('\n'),
    err: failed
      .map(({ path, errors }) =>
        [`Validation failed for ${path}:`, ...errors.map((error) => `  - ${error}`)].join('\n'),
      )
      .join('\n'),
  }
}
