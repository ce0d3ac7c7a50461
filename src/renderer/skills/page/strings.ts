import type { FieldUse } from '@shared/skill-md/field-table'
import type { LensEffect } from '@shared/lens/rules'
import type { PageTab } from './skill-address'

/** Words of a skill's page. */
export const page = {
  tabs: {
    overview: 'Overview',
    files: 'Files',
    scripts: 'Scripts',
    problems: 'Problems',
    source: 'Source and versions',
    usage: 'Usage',
    agent: 'What the agent sees',
    where: 'Where it works',
  } satisfies Record<PageTab, string>,
  instructions: 'Instructions',
  noBody: 'SKILL.md has no instructions after its header.',
  files: 'Files',
  script: 'script',
  filesCut: 'Only the first 200 files are listed.',
  header: 'Header',
  noHeader: 'SKILL.md has no readable header.',
  use: { acts: 'used', shows: 'shown', keeps: 'kept, not used' } satisfies Record<FieldUse['use'], string>,
  imageNotRead: (path: string) => `${path} couldn’t be read`,
  notThere: (name: string) =>
    `The skill ${name} isn’t there any more. Its folder was moved, renamed or deleted.`,
  toList: 'Show all skills',
  copyLink: 'Copy link',
  copied: 'Link copied',
  lineOf: (file: string, line: number) => `${file}:${line}`,
  where: {
    intro: (day: string) =>
      `What other programs would do with this folder, by their sources and documents as read on ${day}. Nothing is asked of them.`,
    noText: 'SKILL.md can’t be read as text, or is too large, so nothing can be said about other programs.',
    looks: (folder: string) => `It looks in ${folder}, where this copy lies.`,
    elsewhere: (folders: readonly string[]) => `It doesn’t look here, but in ${folders.join(', ')}.`,
    inProject: (folder: string) => `${folder} of a project`,
    listsAs: 'Lists it as',
    verdict: {
      fine: 'Loads it',
      loss: 'Loads it, with differences',
      rejected: 'Rejects it',
      unseen: 'Doesn’t see it',
      unknown: 'Not verified',
    } satisfies Record<LensEffect, string>,
  },
}
