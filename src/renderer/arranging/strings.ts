import type { SkillPlace } from '@shared/domain/arranging'
import { defineStrings } from '@shared/catalogue'
import { formatBytes, formatNumber, plural } from '../ui/format'

/** Texts of everything that arranges skill folders (`ux.md` 3.3 and 5.8). */
export const words = defineStrings('arranging', {
  newSkill: 'New skill',
  newSkillMenu: 'New skill…',
  create: 'Make skill',
  name: 'Name',
  nameHint: 'Lower-case letters and digits, in words joined by hyphens.',
  where: 'Where',
  template: 'Begins with',
  description: 'Description',
  descriptionHint: 'The agent chooses the skill by this text. Empty: as the template says it.',
  takesText: (name: string) =>
    `The unsaved text of ${name} is in it then, still unsaved: look at it and save it in the editor.`,
  inside: 'What is in it',
  more: 'More',
  menu: {
    duplicate: 'Duplicate…',
    rename: 'Rename…',
    move: 'Move to…',
    copy: 'Copy to…',
    delete: 'Delete',
  },
  titles: {
    duplicate: (name: string) => `Duplicate ${name}`,
    rename: (name: string) => `Rename ${name}`,
    move: (name: string) => `Move ${name}`,
    copy: (name: string) => `Copy ${name}`,
    restore: (name: string) => `Restore ${name} under another name`,
  },
  acts: { duplicate: 'Duplicate', rename: 'Rename', move: 'Move', copy: 'Copy', restore: 'Restore' },
  places: {
    personal: 'Personal',
    project: 'Project',
    'personal-shared': 'Personal, shared with other tools',
    'project-shared': 'Project, shared with other tools',
  } satisfies Record<SkillPlace, string>,
  folders: {
    personal: '~/.satchel/skills',
    project: '.satchel/skills',
    'personal-shared': '~/.agents/skills',
    'project-shared': '.agents/skills',
  } satisfies Record<SkillPlace, string>,
  cancel: 'Cancel',
  planTitle: 'What happens',
  makes: 'Makes',
  movesFrom: 'From',
  toTrash: 'To the trash',
  review: 'Review…',
  size: (files: number, bytes: number) =>
    `${plural(files, { one: 'file', other: 'files' })}, ${formatBytes(bytes)}`,
  changes: (file: string) => `In ${file}`,
  copyInstead: 'Copy to Personal instead',
  notNow: 'Looking at the folders…',
  undo: 'Undo',
  dismiss: 'Dismiss',
  many: {
    menu: {
      move: (count: number) => `Move ${formatNumber(count)} to…`,
      copy: (count: number) => `Copy ${formatNumber(count)} to…`,
    },
    titles: {
      move: (count: number) => `Move ${plural(count, { one: 'skill', other: 'skills' })}`,
      copy: (count: number) => `Copy ${plural(count, { one: 'skill', other: 'skills' })}`,
    },
    acts: {
      move: (count: number) => `Move ${plural(count, { one: 'skill', other: 'skills' })}`,
      copy: (count: number) => `Copy ${plural(count, { one: 'skill', other: 'skills' })}`,
    },
    done: {
      move: (count: number) => `Moved ${plural(count, { one: 'skill', other: 'skills' })}.`,
      copy: (count: number) => `Copied ${plural(count, { one: 'skill', other: 'skills' })}.`,
      restore: (count: number) => `Restored ${plural(count, { one: 'skill', other: 'skills' })}.`,
      delete: (count: number) => `Deleted ${plural(count, { one: 'skill', other: 'skills' })}.`,
    },
    undone: (count: number) => `${plural(count, { one: 'change is', other: 'changes are' })} taken back.`,
    looking: (known: number, all: number) =>
      `Looking at the folders: ${formatNumber(known)} of ${formatNumber(all)}…`,
    doing: 'It is being done.',
    none: 'None of them can go there.',
    stays: (reason: string) => `Stays: ${reason}`,
    /** `more`: of others that are not named. */
    kept: (names: readonly string[], more: number, reason: string) =>
      `Not deleted: ${names.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}. ${reason}`,
    twice: 'Another one of these would get the same folder. Do them one by one, each with a name of its own.',
    more: (count: number) => `And ${plural(count, { one: 'more sentence', other: 'more sentences' })}.`,
  },
  nothingToUndo: 'There is no change of a skill folder to undo.',
  noSelection: 'Select a skill first.',
  lastChange: 'Last change',
  trash: 'Trash',
  trashNote: 'Deleted skills stay here for 30 days.',
  trashEmpty: 'Nothing is in the trash. Deleted skills stay here for 30 days.',
  tryAgain: 'Try again',
  backToSkills: 'Show the skills',
  from: 'From',
  deleted: 'Deleted',
  actions: 'Actions',
  endsIn: (days: number) => (days <= 1 ? 'Last day' : `${plural(days, { one: 'day', other: 'days' })} left`),
  restore: 'Restore',
  restoreMarked: (count: number) => `Restore ${plural(count, { one: 'skill', other: 'skills' })}`,
  notRestored: (name: string, reason: string) => `${name} stays in the trash. ${reason}`,
  mark: (name: string) => `Mark ${name}`,
  markAll: 'Mark all',
  removeForGood: 'Delete for good…',
  removeTitle: (name: string) => `Delete ${name} for good?`,
  removeText: (files: number, bytes: number) =>
    `${plural(files, { one: 'file', other: 'files' })}, ${formatBytes(bytes)}. This can’t be undone.`,
  remove: 'Delete for good',
  keep: 'Keep it',
})
