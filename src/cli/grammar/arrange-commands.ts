import type { CommandSpec, OptionSpec } from './command'
import { PROJECT } from './project-option'

const TO: OptionSpec = {
  name: 'to',
  value: 'place',
  choices: ['personal', 'project', 'personal-shared', 'project-shared'],
  help: 'Where to; personal if not given. The shared ones are .agents/skills.',
}
const NAME_THERE: OptionSpec = { name: 'name', value: 'name', help: 'Under another name.' }

const DUPLICATE: CommandSpec = {
  name: 'duplicate',
  summary: 'Copies a skill beside itself, under another name.',
  usage: '<name | name@scope> <new name>',
  words: { min: 2, max: 2, what: 'a skill and the new name' },
  options: [PROJECT],
  examples: [['satchel skills duplicate pdf-forms pdf-forms-draft', 'folder and name: together']],
  load: async () => (await import('../commands/arrange')).run.duplicate,
}

const RENAME: CommandSpec = {
  name: 'rename',
  summary: 'Gives a skill another name: its folder and its name: together. Every other byte stays.',
  usage: '<name | name@scope> <new name>',
  words: { min: 2, max: 2, what: 'a skill and the new name' },
  options: [PROJECT],
  examples: [['satchel skills rename pdf pdf-forms', 'never over something that is there']],
  load: async () => (await import('../commands/arrange')).run.rename,
}

const MOVE: CommandSpec = {
  name: 'move',
  summary: 'Moves a skill to another scope. Says which copy is used before and after.',
  usage: '<name | name@scope>',
  words: { min: 1, max: 1, what: 'a skill' },
  options: [PROJECT, TO, NAME_THERE],
  examples: [['satchel skills move release --to project', 'from your personal skills into the project']],
  load: async () => (await import('../commands/arrange')).run.move,
}

const COPY: CommandSpec = {
  name: 'copy',
  summary: 'Copies a skill to another scope; the original stays as it is.',
  usage: '<name | name@scope>',
  words: { min: 1, max: 1, what: 'a skill' },
  options: [PROJECT, TO, NAME_THERE],
  examples: [['satchel skills copy pdf@bundled', 'a personal copy that can be changed']],
  load: async () => (await import('../commands/arrange')).run.copy,
}

const DELETE: CommandSpec = {
  name: 'delete',
  summary: 'Puts a skill into the trash, for 30 days.',
  usage: '<name | name@scope>',
  words: { min: 1, max: 1, what: 'a skill' },
  options: [PROJECT],
  examples: [['satchel skills delete pdf-forms', 'satchel skills restore brings it back']],
  load: async () => (await import('../commands/arrange')).run.delete,
}

const TRASH: CommandSpec = {
  name: 'trash',
  summary: 'Lists the skills that were deleted in the last 30 days.',
  usage: '',
  words: { min: 0, max: 0, what: '' },
  options: [],
  examples: [['satchel skills trash', 'id, name, where it was, and when']],
  load: async () => (await import('../commands/trash')).list,
}

const RESTORE: CommandSpec = {
  name: 'restore',
  summary: 'Brings a deleted skill back to where it was. Refused where something is there.',
  usage: '<id | name>',
  words: { min: 1, max: 1, what: 'an id or a name of the trash' },
  options: [NAME_THERE],
  examples: [
    ['satchel skills restore pdf-forms', 'byte for byte'],
    ['satchel skills restore pdf-forms --name pdf-old', 'where the old name is taken'],
  ],
  load: async () => (await import('../commands/trash')).restore,
}

/** What the app's dialogs do with skill folders, by name. */
export const ARRANGE_COMMANDS: readonly CommandSpec[] = [
  DUPLICATE,
  RENAME,
  MOVE,
  COPY,
  DELETE,
  TRASH,
  RESTORE,
]
