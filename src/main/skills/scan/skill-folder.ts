import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { decodeSkillMd, parseSkillMd } from '@shared/skill-md'
import { slugOf } from '@shared/skill-md/skill-name'
import { readStart } from '../store/safe-read'

const MAX_HEAD = 64 * 1024

/** Path of the folder's own SKILL.md, in any case; null: it is no skill itself. */
export function skillMdIn(dir: string): string | null {
  const names = namesIn(dir).filter((name) => /^skill\.md$/i.test(name))
  const name = ['SKILL.md', 'skill.md'].find((usual) => names.includes(usual)) ?? names[0]
  return name === undefined ? null : join(dir, name)
}

/** The handle of a skill folder that is a root itself: the name of its frontmatter, else of the folder. */
export function handleOf(dir: string, skillMd: string): string {
  try {
    const decoded = decodeSkillMd(readStart(skillMd, MAX_HEAD))
    return parseSkillMd(decoded.text, { folderName: basename(dir) }).name
  } catch {
    return slugOf(basename(dir)) // the scan reads it again and says what is wrong
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return [] // missing or unreadable: not a skill
  }
}
