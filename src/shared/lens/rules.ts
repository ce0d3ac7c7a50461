import type { LensClientId } from './clients'
import { hasFrontmatter, isLongDescription, isNameLegal, keyPlace, metProblem, repairedSlip } from './facts'
import type { LensFacts, LensPlace } from './facts'

/**
 * What a program does: `fine` as it is meant, `loss` with something missing or different, `rejected`, `unseen` when it
 * does not find it, `unknown` where nobody has looked.
 */
export type LensEffect = 'fine' | 'loss' | 'rejected' | 'unseen' | 'unknown'

export interface Saying {
  effect: LensEffect
  text: string
}

/** One thing about a skill that programs treat differently. */
export interface LensRule {
  id: string
  /** What it is about. */
  title: string
  /** Null: it is not so with this skill. */
  when(facts: LensFacts): LensPlace | null
  /** What would make it the same everywhere. */
  fix?: string
  says: Readonly<Record<LensClientId, Saying>>
}

const fine = (text: string): Saying => ({ effect: 'fine', text })
const loss = (text: string): Saying => ({ effect: 'loss', text })
const rejected = (text: string): Saying => ({ effect: 'rejected', text })
const unseen = (text: string): Saying => ({ effect: 'unseen', text })
const UNKNOWN: Saying = { effect: 'unknown', text: 'Not verified.' }

type Says = Partial<LensRule['says']>

/** The same for all that are not named. */
function others(rest: Saying, says: Says = {}): LensRule['says'] {
  const all = { 'claude-code': rest, codex: rest, 'gemini-cli': rest, opencode: rest, mux: rest, pi: rest }
  return { ...all, ...says }
}

const NO_FRONTMATTER: LensRule['says'] = others(UNKNOWN, {
  'claude-code': loss('Loads it: the folder gives the name, the first paragraph the description.'),
  codex: rejected('Rejects it: “missing YAML frontmatter delimited by ---”.'),
  'gemini-cli': rejected('Drops it: it has no name.'),
  opencode: rejected('Drops it: it has no name.'),
  mux: rejected('Skips it: name and description are required.'),
  pi: rejected('Rejects it: “description is required”.'),
})

/** By `format.md` 2.5 (the numbers are those of its quirks); what stands there for nobody is not verified. */
export const LOAD_RULES: readonly LensRule[] = [
  {
    id: 'file-name',
    title: 'File name',
    when: ({ fileName }) => (fileName === 'SKILL.md' ? null : {}),
    fix: 'Rename the file to SKILL.md.',
    says: others(unseen('Looks for the exact name SKILL.md; on Linux it doesn’t see this file.')),
  },
  {
    id: 'inside',
    title: 'Inside another skill',
    when: ({ isInside }) => (isInside ? {} : null),
    fix: 'Move it out of the other skill.',
    says: others(UNKNOWN, {
      codex: fine('Lists skills inside others too.'),
      opencode: fine('Lists skills inside others too.'),
      'gemini-cli': unseen('Looks one folder deep, so it doesn’t see a skill inside another.'),
      mux: unseen('Looks one folder deep, so it doesn’t see a skill inside another.'),
      pi: unseen('Stops at the first SKILL.md, so it doesn’t see a skill inside another.'),
    }),
  },
  {
    id: 'no-frontmatter',
    title: 'No header',
    when: (facts) => metProblem(facts, 'frontmatter-missing'),
    fix: 'Begin the file with name and description between two lines of ---.',
    says: NO_FRONTMATTER,
  },
  {
    id: 'not-closed',
    title: 'Header not closed',
    when: (facts) => metProblem(facts, 'frontmatter-not-closed'),
    fix: 'Close the header with a line of ---.',
    says: { ...NO_FRONTMATTER, 'claude-code': UNKNOWN, opencode: fine('Reads a header that is not closed.') },
  },
  {
    id: 'byte-order-mark',
    title: 'Byte order mark',
    when: ({ text }) => (text.startsWith('\uFEFF') ? { line: 1 } : null),
    fix: 'Save the file without a byte order mark.',
    says: others(UNKNOWN, {
      'claude-code': fine('Skips the byte order mark since version 2.1.239.'),
      mux: fine('Skips the byte order mark.'),
      codex: rejected('Takes the byte order mark for text, so it finds no header.'),
      'gemini-cli': rejected('Takes the byte order mark for text, so it finds no header.'),
      pi: rejected('Takes the byte order mark for text, so it finds no header.'),
    }),
  },
  {
    id: 'blank-line',
    title: 'Blank line above the header',
    when: (facts) => metProblem(facts, 'blank-before-frontmatter'),
    fix: 'Delete the blank line above the header.',
    says: {
      ...NO_FRONTMATTER,
      'claude-code': loss(
        'Finds no header behind the blank line: the folder gives the name, the first paragraph the description.',
      ),
    },
  },
  {
    id: 'indented-fence',
    title: 'Indented closing line',
    when: (facts) => metProblem(facts, 'fence-indented'),
    fix: 'Put the closing --- at the start of its line.',
    says: others(UNKNOWN, {
      'claude-code': fine('Accepts an indented closing line.'),
      mux: fine('Accepts an indented closing line.'),
      'gemini-cli': rejected('Doesn’t see the indented closing line, so it finds no header.'),
      pi: rejected('Doesn’t see the indented closing line, so it finds no header.'),
    }),
  },
  {
    id: 'merge-conflict',
    title: 'Marks of a merge conflict',
    when: (facts) => metProblem(facts, 'merge-conflict'),
    fix: 'Keep one of the two versions.',
    says: others(UNKNOWN, { 'gemini-cli': fine('Reads the header line by line, so the marks do no harm.') }),
  },
  {
    id: 'colon',
    title: 'Colon in an unquoted text',
    when: (facts) => repairedSlip(facts, 'colon'),
    fix: 'Put the text in quotes.',
    says: {
      'claude-code': fine('Repairs a colon in an unquoted text since version 2.1.69.'),
      codex: fine('Repairs a colon in an unquoted text since June 2026.'),
      'gemini-cli': fine('Reads such a header line by line.'),
      opencode: fine('Reads the text as a block instead.'),
      mux: rejected('Skips it: the header is not valid YAML.'),
      pi: fine('Puts the text in quotes and tries again.'),
    },
  },
  {
    id: 'odd-sign',
    title: 'Text that begins with , @ or `',
    when: (facts) => repairedSlip(facts, 'sign'),
    fix: 'Put the text in quotes.',
    says: others(UNKNOWN, { 'gemini-cli': fine('Reads such a header line by line.') }),
  },
  {
    id: 'yaml-slip',
    title: 'Value that is not valid YAML',
    when: (facts) => repairedSlip(facts, 'other'),
    fix: 'Put the value in quotes.',
    says: others(UNKNOWN, {
      'claude-code': fine('Takes the value as text.'),
      codex: fine('Repairs the value.'),
      'gemini-cli': fine('Reads such a header line by line.'),
      opencode: rejected('Drops it: the header is not valid YAML, and only a colon is mended.'),
      mux: rejected('Skips it: the header is not valid YAML.'),
    }),
  },
  {
    id: 'field-left-out',
    title: 'Field that can’t be read',
    when: (facts) => metProblem(facts, 'field-left-out'),
    fix: 'Mend the field that can’t be read.',
    says: others(rejected('Drops the skill: the header is not valid YAML.'), {
      'claude-code': UNKNOWN,
      'gemini-cli': loss('Loads it without this field.'),
    }),
  },
  {
    id: 'yaml',
    title: 'Header that can’t be read',
    when: (facts) => metProblem(facts, 'yaml-invalid', 'yaml-tag', 'yaml-limit', 'frontmatter-not-a-mapping'),
    fix: 'Mend the header.',
    says: others(UNKNOWN, { mux: rejected('Skips it: the header is not valid YAML.') }),
  },
  {
    id: 'control-characters',
    title: 'Control characters',
    when: (facts) => metProblem(facts, 'control-characters'),
    fix: 'Delete the invisible characters.',
    says: others(UNKNOWN, { opencode: rejected('Drops it: its YAML reader refuses control characters.') }),
  },
  {
    id: 'no-name',
    title: 'No name',
    when: (facts) => (hasFrontmatter(facts) && facts.name === '' ? {} : null),
    fix: 'Give it a name.',
    says: {
      'claude-code': fine('Calls it by its folder.'),
      codex: fine('Calls it by its folder: a name is optional.'),
      'gemini-cli': rejected('Drops it: it has no name.'),
      opencode: rejected('Drops it: it has no name.'),
      mux: rejected('Skips it: a name is required.'),
      pi: UNKNOWN,
    },
  },
  {
    id: 'no-description',
    title: 'No description',
    when: (facts) => (hasFrontmatter(facts) && facts.description.trim() === '' ? {} : null),
    fix: 'Give it a description.',
    says: {
      'claude-code': loss('Takes the first paragraph for the description.'),
      codex: rejected('Skips it: a description is required.'),
      'gemini-cli': UNKNOWN,
      opencode: UNKNOWN,
      mux: rejected('Skips it: a description is required.'),
      pi: rejected('Rejects it: “description is required”.'),
    },
  },
  {
    id: 'long-description',
    title: 'Long description',
    when: (facts) => (isLongDescription(facts) ? (keyPlace(facts, 'description') ?? {}) : null),
    fix: 'Shorten the description to 1,024 characters.',
    says: others(UNKNOWN, {
      'claude-code': fine('Takes up to 1,536 characters in its list.'),
      codex: rejected('Rejects a description of more than 1,024 characters.'),
      mux: rejected('Rejects a description of more than 1,024 characters.'),
    }),
  },
  {
    id: 'other-name',
    title: 'Name and folder differ',
    when: (facts) =>
      facts.name !== '' && facts.name !== facts.folder ? (keyPlace(facts, 'name') ?? {}) : null,
    fix: 'Give the folder and the skill the same name.',
    says: {
      'claude-code': loss('The command is the name of the folder; the name is only a label.'),
      codex: fine('Calls it by its name, whatever the folder is called.'),
      'gemini-cli': fine('Calls it by its name, whatever the folder is called.'),
      opencode: fine('Calls it by its name, whatever the folder is called.'),
      mux: rejected('Skips it: the name must be that of the folder.'),
      pi: loss('Loads it with a warning: the name is not that of the folder.'),
    },
  },
  {
    id: 'odd-name',
    title: 'Name with other signs',
    when: (facts) => (facts.name !== '' && !isNameLegal(facts) ? (keyPlace(facts, 'name') ?? {}) : null),
    fix: 'Use lower-case letters, digits and single hyphens.',
    says: others(UNKNOWN, {
      'claude-code': fine('The command is the name of the folder.'),
      codex: fine('Accepts any name.'),
      'gemini-cli': loss('Puts a hyphen in the place of : \\ / < > * ? " and |.'),
      mux: rejected('Rejects a name with other signs than lower-case letters, digits and single hyphens.'),
    }),
  },
  {
    id: 'metadata-values',
    title: 'Values in metadata that are no text',
    when: (facts) =>
      hasOddMetadata(facts.parsed.frontmatter['metadata']) ? (keyPlace(facts, 'metadata') ?? {}) : null,
    fix: 'Keep only texts in metadata, or leave the rest of it out for these programs.',
    says: others(fine('Nested metadata does no harm.'), {
      mux: rejected('Rejects metadata with values that are no text.'),
    }),
  },
  {
    id: 'metadata-no-map',
    title: 'Metadata that is no map',
    when: (facts) =>
      isNoMap(facts.parsed.frontmatter['metadata']) ? (keyPlace(facts, 'metadata') ?? {}) : null,
    fix: 'Write metadata as a list of keys and texts, or delete it.',
    says: others(UNKNOWN, {
      'claude-code': loss('Drops metadata that is no map.'),
      codex: rejected('Rejects metadata that is no map.'),
      mux: rejected('Rejects metadata that is no map.'),
    }),
  },
]

function hasOddMetadata(metadata: unknown): boolean {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return false
  return Object.values(metadata).some((value) => typeof value !== 'string')
}

function isNoMap(metadata: unknown): boolean {
  return (
    metadata !== undefined && (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
  )
}
