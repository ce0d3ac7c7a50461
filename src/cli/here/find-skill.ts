import type { Given } from '../grammar/command'
import { skillNamed } from './skill-at'
import type { SkillAt } from './skill-at'
import { openSkillsHere } from './skills'
import type { World } from '../world'

/**
 * Does something with the skill that a name means here, for commands that need nothing else of the registry. Its files
 * may be gone afterwards: those of an archive are unpacked for this long. Throws `not_found`.
 */
export async function withSkill<T>(
  given: Given,
  world: World,
  { asked, use }: { asked: string; use: (skill: SkillAt) => Promise<T> },
): Promise<T> {
  const here = await openSkillsHere(given, world)
  try {
    return await use(skillNamed(here, world, asked))
  } finally {
    here.close()
  }
}
