import { foldName } from '@shared/skill-md/skill-name'
import { weakMemo } from '../../lib/weak-memo'
import type { SkillFinder } from './style'

/** What an id is made of. */
export interface NamedFolder {
  name: string
  folder: string
}

/**
 * The ids of S2: a skill's folder, as its `read_skill` expects; the name where two skills have the same folder, or
 * where a folder is called like another skill. In the order of the list.
 */
export const skillIds = weakMemo((skills: readonly NamedFolder[]): readonly string[] => {
  const names = new Map(skills.map((skill) => [foldName(skill.name), skill]))
  const folders = new Map<string, number>()
  for (const { folder } of skills) folders.set(foldName(folder), (folders.get(foldName(folder)) ?? 0) + 1)
  return skills.map((skill) => {
    const folder = foldName(skill.folder)
    const isOthersName = names.has(folder) && names.get(folder) !== skill
    return folders.get(folder) === 1 && !isOthersName ? skill.folder : skill.name
  })
})

/** Understands the ids of a list, without case. Anything else is taken as it is. */
export function finderOf(skills: readonly NamedFolder[]): SkillFinder {
  return {
    nameOf(id) {
      const at = skillIds(skills).findIndex((known) => foldName(known) === foldName(id))
      return skills[at]?.name ?? id
    },
  }
}
