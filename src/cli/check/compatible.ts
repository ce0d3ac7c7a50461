import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { Diagnostic } from '@shared/domain/skill'
import type { CheckEnvironment } from '@shared/skill-check/folder-input'
import { readFull } from '../../main/skills/scan/facts'
import { skillMdIn } from '../../main/skills/scan/skill-folder'
import { brokenSkillMd } from '../../main/skills/scan/unread'
import { displayPath, isFolder, isListable, kindOf, realOr, typedPath } from '../here/places'
import type { PathKind } from '../here/places'
import { linkOutOfProject } from '../here/project-links'
import type { World } from '../world'

/** What the compatible validator says of one folder. */
export interface Checked {
  /** The handle; the folder's name where there is no skill. */
  name: string
  diagnostics: Diagnostic[]
}

/** Reads the skill as Satchel would, and says all there is to say of it. A path without a skill is an error too. */
export function checkSkill(world: World, environment: CheckEnvironment, typed: string): Checked {
  const dir = typedPath(world, typed)
  const folder = basename(dir)
  const leaving = linkOutOfProject(world, dir)
  if (leaving) return { name: folder, diagnostics: [leaving] }
  const skillMd = isFolder(dir) ? skillMdIn(dir) : null
  if (skillMd === null) return { name: folder, diagnostics: [noSkill(world, dir)] }
  if (!existsSync(skillMd)) return { name: folder, diagnostics: [brokenSkillMd()] }
  const { parsed, diagnostics } = readFull(
    { skillMd, realDir: realOr(dir), folder, allowHardLinks: false },
    environment,
  )
  return { name: parsed.name, diagnostics }
}

function noSkill(world: World, dir: string): Diagnostic {
  const where = displayPath(world, dir)
  const kind = kindOf(dir)
  const closed = kind === 'closed' || (kind === 'folder' && !isListable(dir))
  const [message, fix] = SENTENCES[closed ? 'closed' : kind]
  const code = closed ? 'unreadable' : 'no-skill'
  return { code, severity: 'error', message: message.replace('%', () => where), fix }
}

const SENTENCES: Readonly<Record<PathKind, readonly [string, string]>> = {
  folder: ['There is no SKILL.md in %.', 'Name the folder of a skill, or one with skills below it.'],
  file: ['% is a file and no SKILL.md.', 'Name the folder of a skill.'],
  missing: ['There is no folder %.', 'Name one that is there.'],
  closed: ["% can't be read.", 'Give yourself the right to read it.'],
}
