import { basename } from 'node:path'
import type { Diagnostic } from '@shared/domain/skill'
import type { CheckEnvironment } from '@shared/skill-check/folder-input'
import { readFull } from '../main/skills/facts'
import { skillMdIn } from '../main/skills/skill-folder'
import { displayPath, isFile, isFolder, realOr, typedPath } from './places'
import type { World } from './world'

/** What the compatible validator says of one folder. */
export interface Checked {
  /** The handle; the folder's name where there is no skill. */
  name: string
  diagnostics: Diagnostic[]
}

/** Reads the skill as Satchel would, and says all there is to say of it. A path without a skill is an error too. */
export function checkSkill(world: World, environment: CheckEnvironment, typed: string): Checked {
  const dir = typedPath(world, typed)
  const skillMd = isFolder(dir) ? skillMdIn(dir) : null
  const folder = basename(dir)
  if (skillMd === null) return { name: folder, diagnostics: [noSkill(world, dir)] }
  const { parsed, diagnostics } = readFull(
    { skillMd, realDir: realOr(dir), folder, allowHardLinks: false },
    environment,
  )
  return { name: parsed.name, diagnostics }
}

function noSkill(world: World, dir: string): Diagnostic {
  const where = displayPath(world, dir)
  const [message, fix] = isFolder(dir)
    ? [`There is no SKILL.md in ${where}.`, 'Name the folder of a skill, or one with skills below it.']
    : isFile(dir)
      ? [`${where} is a file and no SKILL.md.`, 'Name the folder of a skill.']
      : [`There is no folder ${where}.`, 'Name one that is there.']
  return { code: 'no-skill', severity: 'error', message, fix }
}
