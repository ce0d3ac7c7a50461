import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSkillMd } from '@shared/skill-md'
import { editSkillMd } from '@shared/skill-md/edit'
import type { DraftRow } from '../db/draft-rows'
import { sha256 } from '../lib/hash'

/** From which folder a skill went, and to which. Real paths. */
interface Renamed {
  /** Null: out of the trash. */
  from: string | null
  to: string
}

/**
 * What was typed over a SKILL.md whose name was then written anew with its folder: the same text over the file that is
 * there now, with the new name. Null where the file differs in more than its name: then the person compares.
 */
export function renamedDraft(
  draft: Pick<DraftRow, 'path' | 'text' | 'before'>,
  { from, to }: Renamed,
): { text: string; before: string } | null {
  const file = join(to, draft.path)
  if (!/^skill\.md$/i.test(draft.path) || !existsSync(file)) return null
  const now = readFileSync(file, 'utf8')
  const name = labelOf(now)
  if (sha256(now) === draft.before || name === '') return null
  try {
    const earlier = [...(from === null ? [] : [basename(from)]), labelOf(draft.text)]
    const isOnlyNamed = earlier.some(
      (was) => sha256(editSkillMd(now, { set: { name: was } })) === draft.before,
    )
    if (!isOnlyNamed) return null
    return { text: editSkillMd(draft.text, { set: { name } }), before: sha256(now) }
  } catch {
    return null // fields that can't be edited: the person compares
  }
}

function labelOf(text: string): string {
  return parseSkillMd(text, { folderName: '' }).label
}
