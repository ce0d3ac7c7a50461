import type { CommandGroup, CommandSpec } from './command'

const RULE_ID = 'id'

const RULES_LIST: CommandSpec = {
  name: 'list',
  summary: 'Lists your rules of approvals, and those that projects demand.',
  usage: '',
  words: { min: 0, max: 0, what: '' },
  options: [],
  examples: [['satchel rules list', 'every rule with its id and how often it was used']],
  load: async () => (await import('../commands/rules-list')).run,
}

const RULES_SHOW: CommandSpec = {
  name: 'show',
  summary: 'Shows one rule.',
  usage: '<id>',
  words: { min: 1, max: 1, what: RULE_ID },
  options: [],
  examples: [['satchel rules show rule_0123', 'the rule whose id begins so']],
  load: async () => (await import('../commands/rules-show')).run,
}

const RULES_REVOKE: CommandSpec = {
  name: 'revoke',
  summary: 'Ends a rule: what it decided is asked for again.',
  usage: '<id>',
  words: { min: 1, max: 1, what: RULE_ID },
  options: [],
  examples: [['satchel rules revoke rule_0123', 'from the next request on']],
  load: async () => (await import('../commands/rules-revoke')).run,
}

const RULES_TEST: CommandSpec = {
  name: 'test',
  summary: 'Tries rules on hostile variants of their requests and on your last 200 requests.',
  usage: '[<id>]',
  words: { min: 0, max: 1, what: RULE_ID },
  options: [],
  examples: [['satchel rules test', 'all of them; ends with 1 when one fails']],
  load: async () => (await import('../commands/rules-test')).run,
}

const RULES_EXPORT: CommandSpec = {
  name: 'export',
  summary: 'Writes your rules into a file, without those of one chat. That it was done is recorded too.',
  usage: '<file>',
  words: { min: 1, max: 1, what: 'file' },
  options: [],
  examples: [['satchel rules export rules.json', 'all that hold always']],
  load: async () => (await import('../commands/rules-export')).run,
}

const RULES_IMPORT: CommandSpec = {
  name: 'import',
  summary: 'Shows the rules of a file and what each would have matched; saves them only with --save.',
  usage: '<file>',
  words: { min: 1, max: 1, what: 'file' },
  options: [{ name: 'save', help: 'Saves those that can be taken.' }],
  examples: [
    ['satchel rules import rules.json', 'look first'],
    ['satchel rules import rules.json --save', 'then take them'],
  ],
  load: async () => (await import('../commands/rules-import')).run,
}

/** `satchel rules`. */
export const RULES: CommandGroup = {
  name: 'rules',
  summary: 'Looks at rules of approvals, revokes, exports and imports them.',
  commands: [RULES_LIST, RULES_SHOW, RULES_REVOKE, RULES_TEST, RULES_EXPORT, RULES_IMPORT],
}
