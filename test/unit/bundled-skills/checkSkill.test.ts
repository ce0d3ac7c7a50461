import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, runScript } from './bundled'

const DESCRIPTION = 'description: Write release notes from merged changes. Use when a release is due.'
const GOOD = `---\nname: demo\n${DESCRIPTION}\n---\n\n# Demo\n\nDo it.\n`

function check(cwd: string, ...args: string[]) {
  return runScript('skill-creator', 'scripts/check_skill.py', { args, cwd })
}

/** Checks a skill called demo and gives the lines it prints, without the folder. */
async function problemsOf(files: Record<string, string | Uint8Array>): Promise<string[]> {
  const cwd = folderWith(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [join('demo', path), text])),
  )
  const result = await check(cwd, 'demo')
  expect(result.stderr).toBe('')
  const lines = result.stdout.trimEnd().split('\n').slice(0, -1)
  expect(result.code).toBe(lines.some((line) => line.includes(': error: ')) ? 1 : 0)
  return lines.map((line) => line.replace('demo/', ''))
}

function withFields(fields: string): string {
  return `---\n${fields}\n---\n\nDo it.\n`
}

describe('check_skill.py', () => {
  it('finds nothing in a good skill', async () => {
    expect(await check(folderWith({ 'demo/SKILL.md': GOOD }), 'demo')).toEqual({
      code: 0,
      stdout: '0 errors, 0 warnings in 1 skill.\n',
      stderr: '',
    })
  })

  it('checks the skills of the project without arguments', async () => {
    const cwd = folderWith({ '.satchel/skills/demo/SKILL.md': GOOD, '.agents/skills/other/SKILL.md': GOOD })
    const result = await check(cwd)
    expect(result.code).toBe(1)
    expect(result.stdout).toBe(
      '.agents/skills/other/SKILL.md:2: error: The name is "demo", but the folder is "other". They must be the same.\n' +
        '1 error, 0 warnings in 2 skills.\n',
    )
  })

  it('says which folder does not exist', async () => {
    expect(await check(folderWith({}), 'nope')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'check_skill.py: nope: no such folder. Give the folder that holds SKILL.md.\n',
    })
  })

  it.each([
    ['no SKILL.md', { 'README.md': 'hi' }, 'SKILL.md:1: error: There is no SKILL.md in this folder.'],
    [
      'an empty file',
      { 'SKILL.md': '' },
      'SKILL.md:1: error: The first line must be --- with nothing before it.',
    ],
    [
      'a file that is not UTF-8',
      { 'SKILL.md': Uint8Array.of(0x2d, 0x0a, 0xff) },
      'SKILL.md:2: error: The text is not UTF-8.',
    ],
    [
      'a missing closing line',
      { 'SKILL.md': '---\nname: demo\n' },
      'SKILL.md:1: error: The frontmatter is not closed. Add a line --- after the last field.',
    ],
    [
      'a byte order mark',
      { 'SKILL.md': '\ufeff' + GOOD },
      'SKILL.md:1: error: The file starts with a byte order mark. Save it as UTF-8 without one.',
    ],
    [
      'another spelling of the file name',
      { 'skill.md': GOOD },
      'skill.md:1: error: The file is called skill.md. Most programs find only SKILL.md.',
    ],
    [
      'an empty body',
      { 'SKILL.md': `---\nname: demo\n${DESCRIPTION}\n---\n` },
      'SKILL.md:5: error: The body is empty. Say what to do once the skill is loaded.',
    ],
    [
      'a huge file',
      { 'SKILL.md': GOOD + 'x'.repeat(1_000_000) },
      'SKILL.md:1: error: The file is larger than 1,000,000 bytes.',
    ],
  ])('reports %s', async (_what, files, expected) => {
    expect(await problemsOf(files as unknown as Record<string, string>)).toEqual([expected])
  })

  it.each([
    [
      '3: error: The value of description holds a colon and a space. Put it in double quotes.',
      'name: demo\ndescription: Two modes: fast and full, use when needed in a hurry',
    ],
    [
      '4: error: Unknown field version. The standard knows allowed-tools, compatibility, description, license, metadata, name. A private value can go under metadata.',
      `name: demo\n${DESCRIPTION}\nversion: "1"`,
    ],
    ['3: error: The field name is there twice, first in line 2.', `name: demo\nname: demo\n${DESCRIPTION}`],
    ['2: error: The name must be in lower case.', `name: Demo\n${DESCRIPTION}`],
    ['2: error: The name has 65 characters, the limit is 64.', `name: ${'x'.repeat(65)}\n${DESCRIPTION}`],
    [
      '2: error: The name must not start or end with a hyphen or hold two in a row.',
      `name: a--b\n${DESCRIPTION}`,
    ],
    ['2: error: The name may hold only letters, digits and hyphens.', `name: a_b\n${DESCRIPTION}`],
    [
      '3: error: The description has 1,025 characters, the limit is 1,024.',
      `name: demo\ndescription: ${'x'.repeat(1025)}`,
    ],
    ['3: error: The field description is missing or empty.', 'name: demo\ndescription:'],
    ['1: error: The field name is missing or empty.', DESCRIPTION],
    [
      '3: warning: The description does not say when to use the skill. Add a sentence with "Use when".',
      'name: demo\ndescription: Writes long and beautiful notes about many things.',
    ],
    [
      '4: warning: allowed-tools is written in flow style ([). The reference validator refuses that.',
      `name: demo\n${DESCRIPTION}\nallowed-tools: [Read, Grep]`,
    ],
    [
      '5: warning: YAML does not take 1.0 for text. Put it in double quotes.',
      `name: demo\n${DESCRIPTION}\nmetadata:\n  version: 1.0`,
    ],
    [
      '5: error: A tab is used for indentation. YAML needs spaces.',
      `name: demo\n${DESCRIPTION}\nmetadata:\n\tauthor: me`,
    ],
    ['4: error: metadata must be a map of text to text.', `name: demo\n${DESCRIPTION}\nmetadata: text`],
    [
      '4: error: compatibility has 501 characters, the limit is 500.',
      `name: demo\n${DESCRIPTION}\ncompatibility: ${'x'.repeat(501)}`,
    ],
    [
      '4: error: The quotes of license are not closed, or text follows them.',
      `name: demo\n${DESCRIPTION}\nlicense: "MIT`,
    ],
    ['4: error: The line is not of the form "field: value".', `name: demo\n${DESCRIPTION}\nwhat is this`],
  ])('reports in line %s', async (expected, fields) => {
    expect(await problemsOf({ 'SKILL.md': withFields(fields) })).toContain(`SKILL.md:${expected}`)
  })

  it.each([
    ['a block', 'description: >-\n  Write release notes from changes.\n  Use when a release is due.'],
    ['quotes', 'description: "Two modes: fast and full. Use when it has to be # quick."'],
    ['several lines', 'description: Write release notes from changes.\n  Use when a release is due.'],
  ])('takes a description in %s', async (_what, field) => {
    expect(await problemsOf({ 'SKILL.md': withFields(`name: demo\n${field}`) })).toEqual([])
  })

  it('follows links and names of scripts, with their lines', async () => {
    const body = [
      'See [a](references/a.md), [b](references/b.md), [c](../c.md), [d](https://example.com) and `[e](e.md)`.',
      '```',
      '[f](f.md)',
      'scripts/gone.sh x',
      'scripts/here.sh',
      '```',
    ].join('\n')
    const problems = await problemsOf({
      'SKILL.md': GOOD + body,
      'references/a.md': 'Back to [nothing](gone.md).',
      'references/lost.md': 'x',
      'scripts/here.sh': 'echo hi\n',
    })
    expect(problems).toEqual([
      'SKILL.md:9: error: The link references/b.md leads to a file that does not exist.',
      'SKILL.md:9: error: The link ../c.md leads out of the skill.',
      'SKILL.md:12: error: The script scripts/gone.sh is named, but does not exist.',
      'references/a.md:1: error: The link gone.md leads to a file that does not exist.',
      'references/lost.md:1: warning: SKILL.md never names this file, so nobody will read it.',
      'scripts/here.sh:1: warning: The script has no first line like "#!/usr/bin/env bash".',
    ])
  })

  it('shows no control characters of the skill', async () => {
    const problems = await problemsOf({ 'SKILL.md': GOOD + '[a](x\u001b[2J.md)\n' })
    expect(problems).toEqual(['SKILL.md:9: error: The link x?[2J.md leads to a file that does not exist.'])
  })
})
