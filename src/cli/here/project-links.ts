import { dirname, join } from 'node:path'
import type { Diagnostic } from '@shared/domain/skill'
import { isInside } from '../../main/lib/contain'
import { COMMON_FOLDER, projectFoldersOfTools } from '../../main/skills/roots/agent-folders'
import { followLink } from '../../main/skills/scan/probe'
import { foldersUpToGitRoot } from '../../main/skills/roots/project-folders'
import { skillMdIn } from '../../main/skills/scan/skill-folder'
import { leavingSkillMd } from '../../main/skills/scan/unread'
import { isProject, realOr } from './places'
import type { World } from '../world'

/**
 * Why a skill in a skill folder of a project is not read: it, or its SKILL.md, is a link that leaves the project. Null
 * for all others, and for folders that are searched in no project.
 */
export function linkOutOfProject({ homeDir }: World, dir: string): Diagnostic | null {
  const home = realOr(homeDir)
  const project = projectSearching(dir, home)
  if (project === null) return null
  const containIn = realOr(foldersUpToGitRoot(realOr(project), home).at(-1)!)
  const followed = followLink(dir, containIn)
  if (followed !== null && !('real' in followed)) {
    return followed.code === 'link-leaves-project' ? followed : null
  }
  const skillMd = skillMdIn(dir)
  return skillMd === null || isInside(containIn, realOr(skillMd)) ? null : leavingSkillMd()
}

/** The folder in whose skill folders `dir` lies, by its path as it was typed: what counts is where the link stands. */
function projectSearching(dir: string, home: string): string | null {
  for (let at = dirname(dir); dirname(at) !== at && !isInside(realOr(at), home); at = dirname(at)) {
    const searched = FOLDERS.some((folder) => isInside(join(at, folder), dirname(dir)))
    if (searched && isProject(at)) return at
  }
  return null
}

const FOLDERS: readonly string[] = [
  join('.satchel', 'skills'),
  COMMON_FOLDER,
  ...projectFoldersOfTools().map(({ dir }) => dir),
]
