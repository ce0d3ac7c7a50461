import type { Diagnostic } from '@shared/domain/skill'
import { problem } from '@shared/skill-md/problem'

/** Why a folder is listed although nothing of it may be read, or can be. */
export function unreadableFolder(): Diagnostic {
  return problem('error', 'unreadable', 'This folder can not be read.', {
    fix: 'Give yourself the right to read it, or delete it.',
  })
}

export function nameNotUtf8(): Diagnostic {
  return problem(
    'error',
    'unreadable',
    'The name of this folder is not UTF-8, so nothing in it can be read.',
    {
      fix: 'Rename it.',
    },
  )
}

export function brokenLink(): Diagnostic {
  return problem('error', 'link-broken', 'This is a link that leads nowhere.', {
    fix: 'Delete it, or put back the folder that it leads to.',
  })
}

export function linkLeavesProject(): Diagnostic {
  return problem(
    'error',
    'link-leaves-project',
    'This is a link that leaves the project, so it is not followed.',
    { fix: 'Copy the skill into the project, or put it into your personal skills.' },
  )
}

export function brokenSkillMd(): Diagnostic {
  return problem('error', 'link-broken', 'Its SKILL.md is a link that leads nowhere.', {
    fix: 'Replace the link by the file itself.',
  })
}

export function leavingSkillMd(): Diagnostic {
  return problem(
    'error',
    'link-leaves-project',
    'Its SKILL.md is a link that leaves the project, so it is not read.',
    { fix: 'Copy the file into the project.' },
  )
}

/** The file has the name in another case (`format.md` 2.5, quirk 26). */
export function caseProblem(name: string): Diagnostic[] {
  if (name === 'SKILL.md') return []
  return [
    problem('warning', 'skill-md-case', `The file is named "${name}".`, {
      fix: 'Rename it to SKILL.md: most other tools do not find it on every system.',
    }),
  ]
}

/** What is wrong and what to do, in two sentences. */
export function sentencesOf({ message, fix }: Diagnostic): string {
  return fix === undefined ? message : `${message} ${fix}`
}
