import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Diagnostic } from '@shared/domain/skill'
import { decodeSkillMd } from '@shared/skill-md'
import { fixEdits, inBytes } from '@shared/skill-md/fix-edits'
import type { SkillFix } from '@shared/skill-md/fix-edits'
import { skillMdIn } from '../../main/skills/scan/skill-folder'

/** A problem for a program: with the edits of its file that cure it, where there are some. Places are bytes, from 0. */
export type FixableProblem = Diagnostic & { edit?: SkillFix }

/** Adds to each problem of the skill in a folder what one click would do about it. */
export function withEdits(dir: string, problems: readonly Diagnostic[]): FixableProblem[] {
  const text = problems.length === 0 ? '' : textIn(dir)
  if (text === '') return [...problems]
  const folderName = basename(dir)
  return problems.map((problem) => {
    const fix = fixEdits(text, { ...problem, folderName })
    return fix ? { ...problem, edit: { title: fix.title, edits: inBytes(text, fix.edits) } } : problem
  })
}

/** Empty for a file that can't be read as text. */
function textIn(dir: string): string {
  try {
    const skillMd = skillMdIn(dir)
    return skillMd === null ? '' : decodeSkillMd(readFileSync(skillMd)).text
  } catch {
    return '' // no file that can be read, as its problems say
  }
}
