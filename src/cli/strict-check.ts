import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pythonPath } from '@shared/skill-check/python-text'
import { strictErrors } from '@shared/skill-check/strict'
import type { StrictFolder } from '@shared/skill-check/strict'
import { readStart } from '../main/skills/safe-read'
import { isFile, isFolder, realOr, typedPath } from './places'
import type { World } from './world'

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
  const folder = strictFolder(world, path)
  return { path: pythonPath(path), errors: strictErrors(folder, { exact }) }
}

function isSkillMd(world: World, typed: string): boolean {
  return basename(typed).toLowerCase() === 'skill.md' && isFile(typedPath(world, typed))
}

function strictFolder(world: World, path: string): StrictFolder {
  const at = typedPath(world, path)
  const name = basename(realOr(at))
  if (isFolder(at)) return { path, kind: 'folder', name, skillMd: skillMdOf(at) }
  return { path, kind: isFile(at) ? 'file' : 'missing', name, skillMd: null }
}

/** By its exact name, also where the file system ignores case. */
function skillMdOf(dir: string): StrictFolder['skillMd'] {
  const names = new Set(readdirSync(dir))
  for (const name of ['SKILL.md', 'skill.md'] as const) {
    const file = join(dir, name)
    if (names.has(name) && isFile(file)) return { name, bytes: readStart(file, MAX_READ) }
  }
  return null
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
