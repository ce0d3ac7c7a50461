import { join } from 'node:path'
import { COMMON_FOLDER, projectFoldersOfTools } from '../roots/agent-folders'
import { isFolder } from '../scan/on-disk'
import { readPlugins } from '../roots/plugin-manifest'
import { handleOf, skillMdIn } from '../scan/skill-folder'

/** A folder of a checkout that is searched, or that is a skill itself. */
export interface SkillPlace {
  dir: string
  /** Handle of the skill that `dir` is; null: it holds skills. */
  handle: string | null
}

/**
 * Where a checkout keeps its skills (`management.md` 1.1, "Repo discovery walk"): it is one itself; else `skills/` (with
 * `.curated` and the like below it), the folders of the tools, what its plugin manifests name; else all of it. Of two
 * skills with one name the earlier place wins.
 */
export function placesInCheckout(checkout: string): SkillPlace[] {
  const self = placeOf(checkout)
  if (self.handle !== null) return [self]
  const usual = ['skills', COMMON_FOLDER, ...projectFoldersOfTools().map(({ dir }) => dir)]
    .map((dir) => join(checkout, ...dir.split('/')))
    .filter(isFolder)
  const named = readPlugins(checkout).plugins.flatMap(({ places }) => places)
  const dirs = new Set([...usual, ...named])
  return dirs.size === 0 ? [self] : [...dirs].map(placeOf)
}

/** The folder as a place: a skill where it holds SKILL.md. */
export function placeOf(dir: string): SkillPlace {
  const skillMd = skillMdIn(dir)
  return { dir, handle: skillMd === null ? null : handleOf(dir, skillMd) }
}
