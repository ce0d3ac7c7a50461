import type { Diagnostic } from '@shared/domain/skill'
import { checkTogether } from '@shared/skill-check/together'
import type { TogetherSkill } from '@shared/skill-check/together'
import type { SkillEntry } from '../main/skills/record'
import type { SkillsHere } from './skills-here'

/** Problems that skills have only beside each other here, by key; those without any have no entry. */
export function problemsBeside({ registry, projectDir }: SkillsHere): ReadonlyMap<string, Diagnostic[]> {
  return checkTogether(registry.list(projectDir).map(togetherOf), { catalogueMax: Infinity })
}

function togetherOf({ record, status }: SkillEntry): TogetherSkill {
  return {
    key: record.key,
    name: record.name,
    folder: record.folder,
    location: record.location,
    scope: record.scope,
    description: record.description,
    requires: record.requires,
    effective: status === 'effective',
    hidden: record.disableModelInvocation,
  }
}
