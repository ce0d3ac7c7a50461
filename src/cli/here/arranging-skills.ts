import { AppError } from '@shared/errors'
import { createArrangeWorld } from '../../main/app/arranging/world'
import { policyInForce } from '../../main/policy/keeper'
import { policyDir } from '../../main/policy/policy'
import { organisationOf } from '../../main/policy/skill-policy'
import { withDeps } from './arranging'
import type { ArrangingHere } from './arranging'
import type { Given } from '../grammar/command'
import { skillNamed } from './skill-at'
import { openSkillsHere } from './skills'
import type { World } from '../world'

export interface ArrangingSkills extends ArrangingHere {
  /** Key of the copy that a name means here. Throws `not_found`. */
  keyOf(asked: string): string
}

/** For commands about a skill that is there: looks at all of them once. */
export async function withArranging<T>(
  given: Given,
  world: World,
  work: (here: ArrangingSkills) => Promise<T>,
): Promise<T> {
  const here = await openSkillsHere(given, world)
  try {
    const { projectDir, registry } = here
    const facts = createArrangeWorld({
      registry,
      homeDir: world.homeDir,
      isTrusted: (dir) => dir === projectDir && here.trusted,
      organisation: () => organisationOf(policyInForce(policyDir(world), here.dataDir).policy),
    })
    const keyOf = (asked: string): string => {
      const { entry } = skillNamed(here, world, asked)
      if (entry) return entry.record.key
      throw new AppError('not_found', 'This folder is in no place that is searched for skills.')
    }
    return await withDeps(world, { facts, projectDir }, (arranging) => work({ ...arranging, keyOf }))
  } finally {
    here.close()
  }
}
