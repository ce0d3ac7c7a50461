import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LENS_CLIENTS } from '../../../../src/shared/lens/clients'
import type { LensClientId } from '../../../../src/shared/lens/clients'
import type { LensSkill } from '../../../../src/shared/lens/facts'
import { lens, lensFolder } from '../../../../src/shared/lens/lens'
import type { LensEffect } from '../../../../src/shared/lens/rules'

const skill = (text: string, change: Partial<LensSkill> = {}): LensSkill => ({
  fileName: 'SKILL.md',
  text,
  folder: 'pdf',
  isInside: false,
  ...change,
})

const GOOD = '---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n'

const verdicts = (one: LensSkill) =>
  Object.fromEntries(LENS_CLIENTS.map((client) => [client, lens(one, client).verdict]))

type Verdicts = Record<LensClientId, LensEffect>
const all = (effect: LensEffect, change: Partial<Verdicts> = {}): Verdicts => ({
  'claude-code': effect,
  codex: effect,
  'gemini-cli': effect,
  opencode: effect,
  mux: effect,
  pi: effect,
  ...change,
})

/** The rows of `format.md` 2.5, by their numbers, with what stands there for each program. */
const TABLE: [what: string, skill: LensSkill, expected: Verdicts][] = [
  ['a sound skill', skill(GOOD), all('fine')],
  ['CRLF (9)', skill(GOOD.replaceAll('\n', '\r\n')), all('fine')],
  ['flow style (15)', skill(GOOD.replace('\n---\n#', '\ntags: [a, b]\n---\n#')), all('fine')],
  [
    'an unquoted colon (1)',
    skill(GOOD.replace('Reads PDF files.', 'Use when: asked about PDF.')),
    all('fine', { mux: 'rejected' }),
  ],
  [
    'junk after a flow sequence (2), in a field that Codex ignores',
    skill(GOOD.replace('\n---\n#', '\nargument-hint: [a] [b]\n---\n#')),
    all('fine', { codex: 'loss', opencode: 'rejected', mux: 'rejected', pi: 'unknown' }),
  ],
  [
    'a text that begins with a comma (3)',
    skill(GOOD.replace('Reads PDF files.', ', reads PDF files')),
    all('unknown', { 'gemini-cli': 'fine' }),
  ],
  [
    'a byte order mark (8)',
    skill(`\uFEFF${GOOD}`),
    all('rejected', { 'claude-code': 'fine', mux: 'fine', opencode: 'unknown' }),
  ],
  ['a blank line first (10)', skill(`\n${GOOD}`), all('rejected', { 'claude-code': 'loss' })],
  [
    'an indented closing fence (11)',
    skill(GOOD.replace('\n---\n#', '\n  ---\n#')),
    all('unknown', { 'claude-code': 'fine', mux: 'fine', 'gemini-cli': 'rejected', pi: 'rejected' }),
  ],
  [
    'no closing fence (12)',
    skill('---\nname: pdf\ndescription: Reads.\n'),
    all('rejected', { 'claude-code': 'unknown', opencode: 'fine' }),
  ],
  ['no frontmatter (13)', skill('# PDF\n\nReads PDF files.\n'), all('rejected', { 'claude-code': 'loss' })],
  ['another case of the file name (14)', skill(GOOD, { fileName: 'skill.md' }), all('unseen')],
  [
    'nested metadata (18)',
    skill(GOOD.replace('\n---\n#', '\nmetadata:\n  openclaw:\n    emoji: x\n---\n#')),
    all('fine', { mux: 'rejected' }),
  ],
  [
    'metadata that is no map (18)',
    skill(GOOD.replace('\n---\n#', '\nmetadata: hello\n---\n#')),
    all('unknown', { 'claude-code': 'loss', codex: 'rejected', mux: 'rejected' }),
  ],
  [
    'a name that is not the folder’s (19)',
    skill(GOOD, { folder: 'documents' }),
    all('fine', { 'claude-code': 'loss', mux: 'rejected', pi: 'loss' }),
  ],
  [
    'a name with a slash (21)',
    skill(GOOD.replace('name: pdf', 'name: ui/web'), { folder: 'ui/web' }),
    all('unknown', { 'claude-code': 'fine', codex: 'fine', 'gemini-cli': 'loss', mux: 'rejected' }),
  ],
  [
    'no name (22)',
    skill(GOOD.replace('name: pdf\n', '')),
    all('rejected', { 'claude-code': 'fine', codex: 'fine', pi: 'unknown' }),
  ],
  [
    'no description (22)',
    skill(GOOD.replace('description: Reads PDF files.\n', '')),
    all('rejected', { 'claude-code': 'loss', 'gemini-cli': 'unknown', opencode: 'unknown' }),
  ],
  [
    'a description of 1,068 characters (23)',
    skill(GOOD.replace('Reads PDF files.', 'a'.repeat(1068))),
    all('unknown', { 'claude-code': 'fine', codex: 'rejected', mux: 'rejected' }),
  ],
  [
    'inside another skill (26)',
    skill(GOOD, { isInside: true }),
    all('unseen', { 'claude-code': 'unknown', codex: 'fine', opencode: 'fine' }),
  ],
  [
    'allowed-tools (decision 5)',
    skill(GOOD.replace('\n---\n#', '\nallowed-tools: Read\n---\n#')),
    all('fine', { 'claude-code': 'loss', codex: 'loss', mux: 'loss' }),
  ],
]

describe('what another program would do with a skill', () => {
  it.each(TABLE)('%s', (_what, given, expected) => {
    expect(verdicts(given)).toEqual(expected)
  })

  it('gives each reason with its line, and what would mend it', () => {
    const { statements } = lens(skill(GOOD, { folder: 'documents' }), 'mux')
    expect(statements).toEqual([
      {
        rule: 'other-name',
        title: 'Name and folder differ',
        effect: 'rejected',
        text: 'Skips it: the name must be that of the folder.',
        line: 2,
        fix: 'Give the folder and the skill the same name.',
      },
    ])
  })

  it('says of fields that nobody looked at that they are not verified, without calling the skill unknown', () => {
    const given = skill(GOOD.replace('\n---\n#', '\nmodel: fast\n---\n#'))
    const view = lens(given, 'opencode')
    expect(view.verdict).toBe('fine')
    expect(view.statements).toMatchObject([{ title: 'model, effort', effect: 'unknown', line: 4 }])
  })

  it('leaves out what would become of fields where the skill is not even read', () => {
    const given = skill(`\n${GOOD.replace('\n---\n#', '\nmodel: fast\n---\n#')}`)
    expect(lens(given, 'pi').statements.map(({ rule }) => rule)).toEqual(['blank-line'])
  })

  it('never throws, and a rejected skill is listed by nobody', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, isInside) => {
        for (const client of LENS_CLIENTS) {
          const view = lens(skill(text, { isInside }), client)
          if (view.verdict === 'rejected' || view.verdict === 'unseen') expect(view.listed).toBeNull()
        }
      }),
    )
  })
})

describe('what it would list', () => {
  const multi = skill(
    '---\nname: PDF Reader\ndescription: |\n  Reads\n  PDF files.\nwhen_to_use: For forms.\n---\n',
    { folder: 'pdf-reader' },
  )

  it('is the folder and both texts in Claude Code', () => {
    expect(lens(multi, 'claude-code').listed).toEqual({
      name: 'pdf-reader',
      description: 'Reads\nPDF files. For forms.',
    })
  })

  it('is one line in Codex', () => {
    expect(lens(multi, 'codex').listed).toEqual({ name: 'PDF Reader', description: 'Reads PDF files.' })
  })

  it('ends after 1,536 characters in Claude Code', () => {
    const long = skill(GOOD.replace('Reads PDF files.', 'a'.repeat(2000)))
    expect(lens(long, 'claude-code').listed?.description).toHaveLength(1536)
  })
})

describe('where a program looks', () => {
  it.each<[LensClientId, string, string | null]>([
    ['claude-code', '~/.claude/skills/pdf', '~/.claude/skills'],
    ['claude-code', 'northwind/.claude/skills/pdf', '.claude/skills'],
    ['claude-code', 'northwind/packages/a/.claude/skills/pdf', '.claude/skills'],
    ['claude-code', '~/.satchel/skills/pdf', null],
    ['claude-code', '~/.claude/skills-old/pdf', null],
    ['codex', '~/.agents/skills/pdf', '~/.agents/skills'],
    ['opencode', '~/.config/opencode/skills/pdf', '~/.config/opencode/skills'],
    ['pi', 'northwind/.satchel/skills/pdf', null],
  ])('%s and %s', (client, location, folder) => {
    expect(lensFolder(client, location)).toBe(folder)
  })
})
