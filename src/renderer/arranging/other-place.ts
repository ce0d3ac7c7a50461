import type { SkillPlace } from '@shared/domain/arranging'
import type { SkillSummary } from '@shared/domain/skill'

/** The place that is offered first for a skill to go to: never the one where it is. */
export function otherPlace(scope: SkillSummary['scope'], projectDir: string | null): SkillPlace {
  if (scope !== 'personal') return 'personal'
  return projectDir === null ? 'personal-shared' : 'project'
}
