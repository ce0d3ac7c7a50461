/** What a rule is called and why it is there, for the screens and documents that list them. */
export interface Rule {
  title: string
  why: string
}

const rule = (title: string, why: string): Rule => ({ title, why })

/** What reading a SKILL.md can say (`format.md` 2.5 and 5). */
const READING = {
  empty: rule('SKILL.md is empty', 'There is nothing to load.'),
  'too-large': rule('SKILL.md is over 1 MB', 'No context holds it; reading stops at that size.'),
  binary: rule('SKILL.md is not text', 'Binary data has no fields and no instructions.'),
  'not-utf8': rule('Not UTF-8', 'Other encodings read as other letters on other machines.'),
  unreadable: rule("Can't be read", 'The file or folder is closed to you, or is no ordinary file.'),
  'skill-md-case': rule(
    'SKILL.md is spelt otherwise',
    'Most clients look for exactly this name where case counts.',
  ),
  'link-broken': rule('A link that leads nowhere', 'The skill is not where the link says.'),
  'link-leaves-project': rule(
    'A link out of the project',
    'A project must not bring in files from elsewhere on the machine.',
  ),
  'scripts-blocked': rule(
    'Its scripts are blocked',
    'What runs must be exactly what was shown: ordinary files inside the skill.',
  ),
  'frontmatter-missing': rule(
    'No frontmatter',
    'Without name and description no agent can choose the skill.',
  ),
  'frontmatter-not-closed': rule(
    'Frontmatter is not closed',
    'It is not known where the instructions start.',
  ),
  'frontmatter-not-a-mapping': rule('Frontmatter without fields', 'Fields are written as "name: value".'),
  'frontmatter-too-large': rule(
    'Frontmatter is too large',
    'It is meant for a few lines; more is not parsed.',
  ),
  'blank-before-frontmatter': rule(
    'Blank line before the frontmatter',
    'Most clients do not load such a file.',
  ),
  'fence-indented': rule('Indented closing fence', 'Some clients do not see it.'),
  'yaml-invalid': rule('Invalid YAML', 'The fields can not be told apart.'),
  'yaml-repaired': rule(
    'YAML that was repaired',
    'Other clients may not load the file; most often a value holds ": ".',
  ),
  'yaml-tag': rule('YAML tags', 'Tags call for types that no client has.'),
  'yaml-limit': rule(
    'YAML beyond the limits',
    'Deep nesting and aliases are how a small file fills the memory.',
  ),
  'field-left-out': rule(
    'A field was left out',
    'It is not valid YAML; the rest of the skill works without it.',
  ),
  'field-as-heading': rule('A field behind "#"', 'In YAML that makes it a comment.'),
  'field-escaped': rule('A field with a backslash in its name', 'No client knows it under that name.'),
  'document-end': rule('A line that ends the fields early', 'Other clients do not see the fields below it.'),
  'merge-conflict': rule(
    'Marks of a merge conflict',
    'Two versions stand in the file; a person must choose.',
  ),
  'control-characters': rule('Control characters', 'Some clients refuse the file for them.'),
  'duplicate-key': rule('A field stands twice', 'Clients differ in which of the two they use.'),
  'key-ignored': rule('A key that is ignored', 'It would change what every field means inside the program.'),
  'wrong-type': rule('A field of the wrong kind', 'It is not used, or a default is.'),
  'read-as-text': rule(
    'A value read as text',
    'Some clients stop at a number or a list where a text belongs.',
  ),
  'homepage-not-web': rule(
    'The homepage is no web address',
    'Only http and https addresses are offered as links.',
  ),
  'name-missing': rule('No name', 'The name of the folder is used.'),
  'name-invalid': rule(
    "A name that can't be called",
    'Lower-case letters, digits and single hyphens, 1 to 64 characters.',
  ),
  'name-differs-from-folder': rule(
    'Name and folder differ',
    'Some clients use the one, some the other, some load neither.',
  ),
  'description-missing': rule('No description', 'Agents choose a skill by its description alone.'),
  'description-long': rule(
    'Description over 1,024 characters',
    'Some clients do not load it; here it is cut where space is short.',
  ),
  'compatibility-long': rule('Compatibility over 500 characters', 'The format allows no more.'),
  'body-empty': rule('No instructions', 'Loading the skill tells an agent nothing new.'),
  'body-long': rule(
    'Long instructions',
    'They stay in the context of the chat, at its cost; 500 lines and 5,000 tokens are advised.',
  ),
} as const satisfies Record<string, Rule>

/** What `checkFolder` can say. */
const FOLDER = {
  'description-short': rule('Very short description', 'Agents choose a skill by its description alone.'),
  'description-no-when': rule(
    'Description without an occasion',
    'An agent that does not know when to use a skill uses it too late or not at all.',
  ),
  'description-markup': rule(
    'Tags in the description',
    'It stands inside tags itself; some clients do not escape it.',
  ),
  'placeholder-left': rule('Left from a template', 'A template is no skill yet.'),
  'tool-unknown': rule('Unknown tool', '"allowed-tools" restricts: a tool that is not there allows nothing.'),
  'tool-malformed': rule('Malformed tool pattern', 'A pattern that is not closed or empty fits no call.'),
  'agent-without-fork': rule(
    'Agent without fork',
    'Another agent can only work in a conversation of its own.',
  ),
  'model-empty': rule('No model named', 'The agent keeps its own model.'),
  'hook-missing': rule('A hook that is not there', 'A hook before loading that fails refuses the load.'),
  'program-missing': rule('A program is missing', 'The skill says it needs it.'),
  'variable-missing': rule('A variable is missing', 'The skill says it needs it.'),
  'system-other': rule('For another system', 'The skill says it works elsewhere only.'),
  'link-target-missing': rule(
    'Broken link',
    'An agent that follows it wastes a step and misses what it says.',
  ),
  'anchor-missing': rule('Broken anchor', 'The heading was renamed or never there.'),
  'link-leaves-skill': rule(
    'Link out of the skill',
    'Reading stops at the folder of the skill, and copies do not bring the file along.',
  ),
  'symlink-broken': rule('Symbolic link that leads nowhere', 'It blocks the scripts of the skill.'),
  'symlink-leaves-skill': rule('Symbolic link out of the skill', 'It could lead to any file of the machine.'),
  'path-traversal': rule(
    'Path out of the skill',
    'Paths with ".." are refused when a script is called or a file is read.',
  ),
  'file-not-there': rule('Names a file that is not there', 'An agent will look for it and fail.'),
  'foreign-home-path': rule(
    "Another client's folder",
    'The skill is looked for where only one client keeps its skills.',
  ),
  'personal-path': rule("One person's folder", 'It exists on one machine only.'),
  'script-path-bare': rule(
    'Bare path of a script',
    'It works only where the folder of the skill is the current one.',
  ),
  'script-not-executable': rule(
    'Called directly, not executable',
    'A shell refuses it; here the interpreter is called.',
  ),
  'script-no-interpreter': rule('Script without interpreter', 'Only programs of the table are run.'),
  'interpreter-missing': rule('Interpreter is not installed', 'Its scripts fail before they start.'),
  'script-crlf': rule(
    'Windows line ends in a script',
    'Shells and #! lines take the extra character for a part of a name.',
  ),
  'script-one-line': rule('Script without line ends', 'They were lost when it was stored; it does not run.'),
  'dynamic-command': rule('Command in the text', 'Nothing runs by loading a skill; every run is asked for.'),
  'positional-without-args': rule(
    'Arguments that nobody announces',
    '$1 to $9 are replaced only when the skill is called with arguments.',
  ),
  'merge-marks': rule(
    'Marks of a merge conflict in the text',
    'Nobody knows which of the two versions an agent follows.',
  ),
  'skill-large': rule('Over 8 MB', 'Copying, digests and other clients suffer.'),
  'many-files': rule('Over 1,000 files', 'Copying, digests and other clients suffer.'),
  'file-names-alike': rule('Files that differ only by case or form', 'On some systems they are one file.'),
  'file-name-refused': rule(
    "A name that can't be given",
    'It means a drive, a stream or another folder on some systems.',
  ),
  'env-file': rule('An .env file', 'It is where secrets are kept.'),
  secret: rule('A secret', 'Everyone who gets the skill has it, and so has every model that reads it.'),
  'hidden-characters': rule('Invisible characters', 'A model reads them, a person does not.'),
  'bidi-characters': rule('Reversed text', 'What is shown is not what runs.'),
  'tag-characters': rule(
    'Hidden message',
    'Tag characters are used to smuggle instructions past the reader.',
  ),
} as const satisfies Record<string, Rule>

/** What `checkTogether` can say, and `agentUnknown`. */
const TOGETHER = {
  'name-twice': rule('Same name twice in one scope', 'Only one of them can be called by it.'),
  'names-alike': rule('Names that differ only by case or form', 'Looking up a name ignores both.'),
  'requires-missing': rule(
    'Requires a skill that is not there',
    'It was written to be used together with it.',
  ),
  'requires-unavailable': rule(
    'Requires a skill that is not in use',
    'It was written to be used together with it.',
  ),
  'agent-unknown': rule(
    'An agent that is not there',
    'The skill was written to be carried out in the role of that agent.',
  ),
  'description-alike': rule(
    'Nearly the same description',
    'Which of the two an agent chooses is a coin toss.',
  ),
  'catalogue-full': rule(
    'More skills than the catalogue holds',
    'What an agent is not shown it can not choose.',
  ),
} as const satisfies Record<string, Rule>

export type FolderCode = keyof typeof FOLDER
export type TogetherCode = keyof typeof TOGETHER

/** The codes that `checkFolder` can give. */
export const FOLDER_CODES = Object.keys(FOLDER) as FolderCode[]
export const TOGETHER_CODES = Object.keys(TOGETHER) as TogetherCode[]

/** Every code a diagnostic of a skill can have. Codes are stable names. */
export const RULES: Readonly<Record<string, Rule>> = { ...READING, ...FOLDER, ...TOGETHER }
