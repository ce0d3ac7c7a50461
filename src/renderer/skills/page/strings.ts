import type { FieldUse } from '@shared/skill-md/field-table'
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
}
