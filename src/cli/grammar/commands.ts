import { DisclosureStyle } from '@shared/domain/settings'
import { ARRANGE_COMMANDS } from './arrange-commands'
import { AUDIT_GROUP } from './audit-commands'
import type { CommandGroup, CommandSpec, OptionSpec } from './command'
import { PROJECT } from './project-option'
import { RULES } from './rule-commands'

/** Options of every command. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { name: 'json', help: 'Print one JSON object and nothing else.' },
  { name: 'no-color', help: 'No colours, also on a terminal.' },
  { name: 'help', help: 'Show this help.' },
]

const SCOPES = ['enterprise', 'personal', 'project', 'plugin', 'bundled', 'shared'] as const

const LIST: CommandSpec = {
  name: 'list',
  summary: 'Lists the skills that an agent could be given here, and what is in their way.',
  usage: '[operator:value ...] [word ...]',
  words: { min: 0, max: Infinity, what: '' },
  takesQuery: true,
  options: [
    PROJECT,
    { name: 'all', help: 'Every copy: shadowed ones and skills inside other skills too.' },
    { name: 'scope', value: 'scope', choices: SCOPES, help: 'Only skills of one scope.' },
  ],
  examples: [
    ['satchel skills list', 'what is used here'],
    ['satchel skills list --all --scope personal', 'every personal copy'],
    ['satchel skills list status:problems tokens:">3000"', 'with operators, as in the search field'],
    ['satchel skills list -from:bundled pdf', 'not bundled, with "pdf" in name, description or tags'],
  ],
  notes: [
    'Operators: from: status: has: tool: tag: tokens: name: author: license: — a minus in front negates.',
  ],
  load: async () => (await import('../commands/list')).run,
}

const SHOW: CommandSpec = {
  name: 'show',
  summary: 'Shows one skill: where it is, whether it is used and why, its files, costs and problems.',
  usage: '<name | name@scope | path>',
  words: { min: 1, max: 1, what: 'a skill' },
  options: [PROJECT, { name: 'body', help: 'Print the instructions of its SKILL.md and nothing else.' }],
  examples: [
    ['satchel skills show pdf-forms', 'the copy that is used'],
    ['satchel skills show pdf-forms@bundled', 'the copy of one scope'],
    ['satchel skills show ./my-skill', 'a folder, whether it is found or not'],
  ],
  load: async () => (await import('../commands/show')).run,
}

const VALIDATE: CommandSpec = {
  name: 'validate',
  summary:
    'Checks skill folders and says what to change. Without paths: all of the current folder or project.',
  usage: '[path ...]',
  words: { min: 0, max: Infinity, what: '' },
  options: [
    { name: 'strict', help: "Only the format's own rules, with the lines of its reference validator." },
    { name: 'exact', help: "As --strict, with the reference validator's known mistakes too." },
    {
      name: 'fail-on',
      value: 'severity',
      choices: ['error', 'warning', 'info'],
      help: 'What counts for exit code 1 (not with --strict or --exact); error if not given.',
    },
  ],
  examples: [
    ['satchel skills validate', 'every skill below the current folder'],
    ['satchel skills validate skills/pdf skills/ocr/SKILL.md', 'two of them'],
    ['satchel skills validate --strict skills/pdf', 'in a CI job, in place of the reference validator'],
  ],
  notes: ['A path is a skill, its SKILL.md, or a folder with skills below it (not with --exact).'],
  load: async () => (await import('../commands/validate')).run,
}

const SEARCH: CommandSpec = {
  name: 'search',
  summary: 'Searches names, descriptions, tags, instructions and files; the best match first.',
  usage: '<word ...>',
  words: { min: 1, max: Infinity, what: 'words to search for' },
  takesQuery: true,
  options: [PROJECT, { name: 'limit', value: 'n', help: 'At most so many; 20 if not given.' }],
  examples: [
    ['satchel skills search invoice tables', 'both words, small typos in names forgiven'],
    [`satchel skills search '"page layout"' from:personal`, 'a phrase, in one scope'],
  ],
  load: async () => (await import('../commands/search')).run,
}

const NEW: CommandSpec = {
  name: 'new',
  summary: 'Makes a new skill. Never overwrites anything.',
  usage: '<name>',
  words: { min: 1, max: 1, what: 'a name' },
  options: [
    { name: 'description', value: 'text', help: 'What it does and when to use it.' },
    {
      name: 'in',
      value: 'place',
      help: 'personal (if not given), project, or a folder in which the skill gets its own.',
    },
    {
      name: 'template',
      value: 'kind',
      choices: ['blank', 'script', 'reference', 'review', 'report', 'runbook'],
      help: 'What it starts with; blank if not given.',
    },
  ],
  examples: [
    ['satchel skills new tidy-notes', 'in your personal skills'],
    ['satchel skills new release --in project --template script', 'in the project, with a script'],
    [
      'satchel skills new ocr --in ./skills --description "Reads scans. Use for PDFs without text."',
      'anywhere',
    ],
  ],
  load: async () => (await import('../commands/new')).run,
}

const DIGEST: CommandSpec = {
  name: 'digest',
  summary: 'Prints the tree digest of a skill: the identity of all its files, the same on every machine.',
  usage: '<name | name@scope | path>',
  words: { min: 1, max: 1, what: 'a skill' },
  options: [PROJECT, { name: 'files', help: 'Also the lines it is made of: one for each file.' }],
  examples: [
    ['satchel skills digest ./my-skill', 'of a folder'],
    ['satchel skills digest pdf-forms --files', 'with the hash of every file'],
  ],
  load: async () => (await import('../commands/digest')).run,
}

const CONFLICTS: CommandSpec = {
  name: 'conflicts',
  summary: 'Lists the names with more than one copy: which one is used, and why.',
  usage: '',
  words: { min: 0, max: 0, what: '' },
  options: [PROJECT],
  examples: [['satchel skills conflicts', 'as seen from the current folder']],
  load: async () => (await import('../commands/conflicts')).run,
}

const DOCTOR: CommandSpec = {
  name: 'doctor',
  summary: 'Checks every folder and every skill of every scope, and says what to do about each problem.',
  usage: '',
  words: { min: 0, max: 0, what: '' },
  options: [
    PROJECT,
    {
      name: 'severity',
      value: 'severity',
      choices: ['error', 'warning', 'info'],
      help: 'The least that is shown; warning if not given. The counts are of all.',
    },
  ],
  examples: [
    ['satchel skills doctor', 'as seen from the current folder'],
    ['satchel skills doctor --severity error', 'only what keeps a skill from working'],
  ],
  load: async () => (await import('../commands/doctor')).run,
}

const AGENTS_LIST: CommandSpec = {
  name: 'list',
  summary: 'Lists the agents that a chat could begin with here, and what is wrong with others.',
  usage: '',
  words: { min: 0, max: 0, what: '' },
  options: [PROJECT, { name: 'all', help: 'Every file: shadowed ones too.' }],
  examples: [['satchel agents list', 'as seen from the current folder']],
  load: async () => (await import('../commands/agents-list')).run,
}

const AGENTS_SHOW: CommandSpec = {
  name: 'show',
  summary: 'Shows one agent: where it is, its role, model, skills, tools, limits and problems.',
  usage: '<name | name@scope>',
  words: { min: 1, max: 1, what: 'an agent' },
  options: [PROJECT, { name: 'role', help: 'Print its role and nothing else.' }],
  examples: [
    ['satchel agents show reviewer', 'the file that is used'],
    ['satchel agents show reviewer@bundled', 'one that another file replaces'],
  ],
  load: async () => (await import('../commands/agents-show')).run,
}

const CONTEXT: CommandSpec = {
  name: '',
  summary: 'Prints what a model is sent, word for word, and what each part costs.',
  usage: '',
  words: { min: 0, max: 0, what: '' },
  options: [
    PROJECT,
    { name: 'agent', value: 'name', help: 'The agent of a new chat; general if not given.' },
    { name: 'session', value: 'id', help: 'The next call of this chat; without it that of a new one.' },
    { name: 'call', value: 'n', help: 'What call n of that chat was sent; "last" for the last one.' },
  ],
  examples: [
    ['satchel context', 'what a new chat here would begin with'],
    ['satchel context --session ses_0123456789abcdef0123', 'the next call of a chat'],
    ['satchel context --session ses_0123456789abcdef0123 --call last', 'what was really sent'],
  ],
  notes: ['Tokens with ≈ are estimated; those without were counted by the provider.'],
  load: async () => (await import('../commands/context')).run,
}

const CHAT: CommandSpec = {
  name: '',
  summary: 'Talks with an agent; without -p line by line, until Ctrl-D.',
  usage: '',
  words: { min: 0, max: 0, what: '' },
  options: [
    { name: 'prompt', short: 'p', value: 'text', help: 'Say this, print the answer, and end.' },
    PROJECT,
    { name: 'agent', value: 'name', help: 'Who the chat is with; general if not given.' },
    { name: 'model', value: 'model', help: 'provider/model, or with --provider the model alone.' },
    {
      name: 'provider',
      value: 'id',
      help: 'One of Settings, Models, or anthropic, openai, google, ollama, lm-studio, llama-cpp, openrouter, openai-compatible.',
    },
    { name: 'base-url', value: 'url', help: 'A server for this run alone; its key is SATCHEL_API_KEY.' },
    {
      name: 'style',
      value: 'style',
      choices: DisclosureStyle.options,
      help: 'How the agent is told of skills, for this run.',
    },
    {
      name: 'allow',
      value: 'how',
      choices: ['ask', 'never', 'rules'],
      help: 'Who decides what may run: ask you in this terminal (if not given), never, or only your rules.',
    },
    { name: 'session', value: 'id', help: 'Go on with this chat.' },
  ],
  examples: [
    ['satchel chat -p "Which skills do you have?"', 'one question, with the default agent and model'],
    ['satchel chat -p "Tidy notes.md" --allow never --json', 'unattended: nothing may run'],
    ['satchel chat --session ses_0123456789abcdef0123', 'go on, line by line'],
    [
      'satchel chat -p "Hello" --base-url http://127.0.0.1:11434/v1 --model qwen3',
      'a server that is not in Settings',
    ],
  ],
  notes: [
    "Keys come from environment variables only: the command can't open the app's store of keys.",
    'Ctrl-C stops the answer, twice ends the command. Where nobody can be asked nothing is allowed.',
  ],
  load: async () => (await import('../commands/chat')).run,
}

const RUN: CommandSpec = {
  name: '',
  summary: 'Runs a script of a skill, after you allowed it in this terminal.',
  usage: '<skill> <script> [-- argument ...]',
  words: { min: 2, max: Infinity, what: 'a skill and a script' },
  options: [
    PROJECT,
    { name: 'workdir', value: 'dir', help: 'Folder to start in, relative to the project.' },
    { name: 'timeout', value: 'seconds', help: 'Stop it after this time; as Settings say if not given.' },
  ],
  examples: [
    ['satchel run pdf-forms scripts/fill.py -- form.pdf', 'asks, runs it in the sandbox, ends with its code'],
    ['satchel run pdf-forms scripts/check.sh --json', 'one JSON object with what it printed'],
  ],
  notes: ['Without a terminal nobody can be asked: the request expires, and the exit code is 3.'],
  load: async () => (await import('../commands/run')).run,
}

const MACHINE: CommandSpec = {
  name: '',
  summary: 'Checks this machine: whether the sandbox holds, which interpreters there are, where data lives.',
  usage: '',
  words: { min: 0, max: 0, what: '' },
  options: [],
  examples: [['satchel doctor', 'proves the sandbox now and says what it means']],
  load: async () => (await import('../commands/check-machine')).run,
}

/** The command of a group that has but one, called by the group's name alone; else null. */
export function aloneIn({ commands }: CommandGroup): CommandSpec | null {
  return commands.find(({ name }) => name === '') ?? null
}

/** Every command there is. */
export const GROUPS: readonly CommandGroup[] = [
  {
    name: 'skills',
    summary: 'Looks at, checks, makes and arranges skills.',
    commands: [LIST, SHOW, SEARCH, VALIDATE, NEW, ...ARRANGE_COMMANDS, DIGEST, CONFLICTS, DOCTOR],
  },
  AUDIT_GROUP,
  {
    name: 'agents',
    summary: 'Looks at agents: who a chat is with.',
    commands: [AGENTS_LIST, AGENTS_SHOW],
  },
  RULES,
  { name: 'context', summary: 'Prints what a model is sent.', commands: [CONTEXT] },
  { name: 'chat', summary: 'Talks with an agent.', commands: [CHAT] },
  { name: 'run', summary: 'Runs a script of a skill.', commands: [RUN] },
  { name: 'doctor', summary: 'Checks what this machine has for scripts.', commands: [MACHINE] },
]
