import type { Diagnostic } from '@shared/domain/skill'
import { checkTogether } from '@shared/skill-check/together'
import { togetherSkill } from '../../main/app/skills/together'
import type { SkillsHere } from './skills'

/** Problems that skills have only beside each other here, by key; those without any have no entry. */
export function problemsBeside({ registry, projectDir }: SkillsHere): ReadonlyMap<string, Diagnostic[]> {
  const skills = registry
    .list(projectDir)
    .map(({ record, status }) => togetherSkill(record, status === 'effective'))
  return checkTogether(skills, { catalogueMax: Infinity })
}
