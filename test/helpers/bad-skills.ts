import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A skill folder that can't be used, and what a person must be told about it. */
export interface BadSkill {
  /** Name of its folder, and of the skill. */
  name: string
  make(dir: string): void
  /** Beginning of the reason. */
  reason: string
  /** What to do about it. */
  fix: string
}

const text = (contents: string | Buffer) => (dir: string) => writeFileSync(join(dir, 'SKILL.md'), contents)

const HEAD = 'description: Something that would match.\n'
const BOMB = [
  'a0: &a0 [x, x, x, x, x, x, x, x, x]',
  ...Array.from(
    { length: 9 },
    (_, n) => `a${n + 1}: &a${n + 1} [${Array.from({ length: 9 }).fill(`*a${n}`).join(', ')}]`,
  ),
].join('\n')

export const BAD_SKILLS: readonly BadSkill[] = [
  {
    name: 'is-empty',
    make: text(''),
    reason: 'SKILL.md is empty.',
    fix: 'Write frontmatter with "name" and "description", then the instructions.',
  },
  {
    name: 'is-binary',
    make: text(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0, 0xff, 0xfe, 7, 8])),
    reason: 'SKILL.md is not text: it holds binary data.',
    fix: 'Replace it with a text file that starts with frontmatter.',
  },
  {
    name: 'is-2-mb',
    make: text(`---\nname: is-2-mb\n${HEAD}---\n${'a long story '.repeat(165_000)}`),
    reason: 'SKILL.md is larger than 1 MB, so it is not read.',
    fix: 'Move most of its text into files under references/.',
  },
  {
    name: 'is-not-closed',
    make: text(`---\nname: is-not-closed\n${HEAD}\n# Instructions\nDo it.\n`),
    reason: 'The frontmatter is not closed.',
    fix: 'Put a line "---" after the last field, before line 5.',
  },
  {
    name: 'has-a-yaml-error',
    make: text(`---\nname: has-a-yaml-error\n${HEAD}{]}: [}\n---\nText.\n`),
    reason: 'The frontmatter is not valid YAML:',
    fix: 'Check the indentation, and that every bracket is closed.',
  },
  {
    name: 'has-an-alias-bomb',
    make: text(`---\nname: has-an-alias-bomb\n${HEAD}${BOMB}\n---\nText.\n`),
    reason: 'The frontmatter is refused:',
    fix: 'Write the values out, with fewer levels and without anchors.',
  },
  {
    name: 'has-no-description',
    make: text('---\nname: has-no-description\n---\nText.\n'),
    reason: 'There is no description, so no agent could choose this skill.',
    fix: 'Add "description:" with what the skill does and when to use it.',
  },
  {
    name: 'is-utf-16',
    make: text(Buffer.from(`\uFEFF---\nname: is-utf-16\n${HEAD}---\nText.\n`, 'utf16le')),
    reason: 'SKILL.md is saved as UTF-16.',
    fix: 'Save it again as UTF-8.',
  },
  {
    name: 'is-a-pipe',
    make: (dir) => void execFileSync('mkfifo', [join(dir, 'SKILL.md')]),
    reason: 'SKILL.md is not a file but a special one.',
    fix: 'Replace it by a text file.',
  },
  {
    name: 'leads-nowhere',
    make: (dir) => symlinkSync(join(dir, 'not-there.md'), join(dir, 'SKILL.md')),
    reason: 'Its SKILL.md is a link that leads nowhere.',
    fix: 'Replace the link by the file itself.',
  },
]

/** Writes all of them into the personal skills of a home folder. */
export function writeBadSkills(home: string): void {
  for (const { name, make } of BAD_SKILLS) {
    const dir = join(home, '.satchel', 'skills', name)
    mkdirSync(dir, { recursive: true })
    make(dir)
  }
}
