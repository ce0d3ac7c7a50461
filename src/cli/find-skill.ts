import type { Given } from './command'
import { skillNamed } from './skill-at'
import type { SkillAt } from './skill-at'
import { openSkillsHere } from './skills-here'
import type { World } from './world'

/** The skill that a name means here, for commands that need nothing else of the registry. Throws `not_found`. */
export async function findSkill(given: Given, world: World, asked: string): Promise<SkillAt> {
  const here = await openSkillsHere(given, world)
  try {
    return skillNamed(here, world, asked)
  } finally {
    here.close()
  }
}
