import { AUDIT_OPTIONS } from './audit-options'
import type { CommandGroup, CommandSpec } from './command'

const AUDIT_LIST: CommandSpec = {
  name: 'list',
  summary: 'Lists what happened, newest first.',
  usage: '[word ...]',
  words: { min: 0, max: Infinity, what: '' },
  options: [...AUDIT_OPTIONS, { name: 'limit', value: 'n', help: 'At most so many; 50 if not given.' }],
  examples: [
    ['satchel audit list --view denied --since 7d', 'what was denied in the last week'],
    ['satchel audit list --skill pdf-forms --result failed', 'runs of one skill that failed'],
  ],
  load: async () => (await import('../commands/audit-list')).run,
}

const AUDIT_SHOW: CommandSpec = {
  name: 'show',
  summary: 'Shows one entry: everything that was recorded, and its place in the chain.',
  usage: '<entry>',
  words: { min: 1, max: 1, what: 'the number of an entry' },
  options: [],
  examples: [['satchel audit show 3417', 'the entry of this number']],
  load: async () => (await import('../commands/audit-show')).run,
}

const AUDIT_VERIFY: CommandSpec = {
  name: 'verify',
  summary: 'Recomputes the chain of hashes and names the first entry that does not match.',
  usage: '[file]',
  words: { min: 0, max: 1, what: '' },
  options: [],
  examples: [
    ['satchel audit verify', 'the whole log of this computer'],
    ['satchel audit verify audit.jsonl', 'a file that it was written or exported to whole'],
  ],
  notes: ['A file that was narrowed when it was exported has gaps, and so does not verify.'],
  load: async () => (await import('../commands/audit-verify')).run,
}

const AUDIT_EXPORT: CommandSpec = {
  name: 'export',
  summary: 'Writes entries, oldest first, as JSON Lines or CSV. That it was done is recorded too.',
  usage: '[word ...]',
  words: { min: 0, max: Infinity, what: '' },
  options: [
    ...AUDIT_OPTIONS,
    { name: 'format', value: 'format', choices: ['jsonl', 'csv'], help: 'jsonl if not given.' },
    { name: 'out', value: 'file', help: 'Into this file; without it to standard output.' },
  ],
  examples: [
    ['satchel audit export --out audit.jsonl', 'everything, with hashes'],
    ['satchel audit export --format csv --view runs --since 30d --out runs.csv', 'runs, for a spreadsheet'],
  ],
  load: async () => (await import('../commands/audit-export')).run,
}

export const AUDIT_GROUP: CommandGroup = {
  name: 'audit',
  summary: 'Looks at the record of what happened.',
  commands: [AUDIT_LIST, AUDIT_SHOW, AUDIT_VERIFY, AUDIT_EXPORT],
}
