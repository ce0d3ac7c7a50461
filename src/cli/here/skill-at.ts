import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { AppError } from '@shared/errors'
import { foldName } from '@shared/skill-md/skill-name'
import { handleOf, skillMdIn } from '../../main/skills/scan/skill-folder'
import type { SkillEntry } from '../../main/skills/record'
import { displayPath, isFolder, isListable, kindOf, looksLikePath, realOr, typedPath } from './places'
import { folderOfSkillMd } from './skill-folders'
import type { SkillsHere } from './skills'
import type { World } from '../world'

/** A skill that somebody named, wherever it is. */
export interface SkillAt {
  name: string
  /** Real path of its folder. */
  dir: string
  /** The same as it is told (`SkillsHere.placeOf`). */
  told: string
  skillMd: string
  /** Name of the folder as it was found. */
  folder: string
  /** As the registry sees it; null where no scope reaches it. */
  entry: SkillEntry | null
}

/** True when the word means a folder rather than a name: it looks like a path, or like both and is there. */
export function meansPath(world: World, typed: string): boolean {
  return looksLikePath(typed) || (/[\\/]/.test(typed) && existsSync(typedPath(world, typed)))
}

/** The skill in a folder. Throws `not_found`. */
export function skillInFolder(world: World, typed: string): SkillAt {
  const dir = folderOfSkillMd(typedPath(world, typed))
  const skillMd = skillMdIn(dir)
  if (skillMd !== null) {
    const real = realOr(dir)
    return {
      name: handleOf(dir, skillMd),
      dir: real,
      told: real,
      skillMd,
      folder: basename(dir),
      entry: null,
    }
  }
  const where = displayPath(world, dir)
  if (kindOf(dir) === 'closed' || (isFolder(dir) && !isListable(dir))) {
    throw new AppError('not_found', `${where} can't be read. Give yourself the right to read it.`)
  }
  throw isFolder(dir)
    ? new AppError('not_found', `There is no SKILL.md in ${where}. Name the folder of a skill.`)
    : new AppError(
        'not_found',
        `There is no folder ${where}. Name one that is there, or a skill by its name.`,
      )
}

/** The copy of a skill that a name means; of one that can't be used the first. Throws `not_found`. */
export function skillNamed(here: SkillsHere, world: World, asked: string): SkillAt {
  const { registry, projectDir } = here
  const resolved = registry.resolve(projectDir, asked)
  const entry = resolved.ok
    ? registry.get(projectDir, resolved.record.key)
    : unusableCopy(registry.list(projectDir), asked)
  if (entry) return skillOf(here, entry)
  const message = resolved.ok ? `There is no skill "${asked}" here.` : resolved.message
  const isHere = isFolder(typedPath(world, asked))
  throw new AppError('not_found', isHere ? `${message} For the folder of that name: ./${asked}` : message)
}

function skillOf(here: SkillsHere, entry: SkillEntry): SkillAt {
  const { name, rootDir, skillMd, folder } = entry.record
  return { name, dir: rootDir, told: here.placeOf(entry.record).path, skillMd, folder, entry }
}

/** Broken, off, not trusted: it can't be used, and still be looked at. */
function unusableCopy(entries: readonly SkillEntry[], asked: string): SkillEntry | undefined {
  const at = asked.lastIndexOf('@')
  const name = foldName(at > 0 ? asked.slice(0, at) : asked)
  const scope = at > 0 ? foldName(asked.slice(at + 1)) : null
  return entries.find(
    ({ record }) =>
      (foldName(record.name) === name || foldName(record.folder) === name) &&
      (scope === null || record.scope === scope || foldName(record.root.plugin?.name ?? '') === scope),
  )
}
