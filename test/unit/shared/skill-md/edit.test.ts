import { describe, expect, it } from 'vitest'
import { AppError } from '@shared/errors'
import { parseSkillMd } from '@shared/skill-md'
import { editSkillMd } from '@shared/skill-md/edit'
import type { SkillEdit } from '@shared/skill-md/edit'

const values = (text: string) => parseSkillMd(text, { folderName: 'pdf' }).frontmatter
const lines = (...all: string[]) => all.join('\n')
const file = lines(
  '---',
  '# who made it',
  'name: pdf   # the handle',
  'description: "Reads: PDF"',
  "license: 'MIT'",
  'metadata:',
  '  # in here',
  '  author: Ada',
  '  version: "1.0"  # as text',
  'x-mine: [1, {a: true}]',
  '',
  'allowed-tools:',
  '- Read',
  '- Grep',
  '# the end',
  '---',
  '',
  '# PDF',
  '',
  'Text.',
  '',
)

describe('an edit', () => {
  const cases: [what: string, changes: SkillEdit, from: string, to: string][] = [
    ['of a plain text keeps the comment', { set: { name: 'doc' } }, 'name: pdf   # the', 'name: doc   # the'],
    [
      'of a text in double quotes keeps them',
      { set: { description: 'Reads "all"' } },
      '"Reads: PDF"',
      '"Reads \\"all\\""',
    ],
    ['of a text in single quotes keeps them', { set: { license: "it's" } }, "'MIT'", "'it''s'"],
    ['quotes where the new text needs it', { set: { name: 'a: b' } }, 'pdf   #', '"a: b"   #'],
    ['keeps a number-like text a text', { set: { 'metadata.version': '2.0' } }, '"1.0"', '"2.0"'],
    ['goes into a map', { set: { 'metadata.author': 'Eve' } }, 'author: Ada', 'author: Eve'],
    [
      'puts a new field of a map behind its last one',
      { set: { 'metadata.team': 'web' } },
      '# as text\n',
      '# as text\n  team: web\n',
    ],
    [
      'of a list keeps it a list of lines',
      { set: { 'allowed-tools': ['Read', 'Bash(git add *)'] } },
      '- Read\n- Grep',
      '- Read\n- Bash(git add *)',
    ],
    ['of a list in brackets keeps them', { set: { 'x-mine': [2] } }, '[1, {a: true}]', '[2]'],
    ['finds another spelling of the key', { set: { allowed_tools: 'Read' } }, ':\n- Read\n- Grep', ': Read'],
    [
      'appends what is new behind the last field',
      { set: { tags: ['a', 'b c'] } },
      '# the end\n',
      '# the end\ntags: [a, "b c"]\n',
    ],
    [
      'appends a map',
      { set: { scope: { agents: ['x'], tenants: [] } } },
      '# the end\n',
      '# the end\nscope:\n  agents: [x]\n  tenants: []\n',
    ],
    [
      'appends a text of several lines',
      { set: { when_to_use: 'a\nb' } },
      '# the end\n',
      '# the end\nwhen_to_use: |-\n  a\n  b\n',
    ],
    [
      'makes the map for a nested field',
      { set: { 'execution.network': 'none' } },
      '# the end\n',
      '# the end\nexecution:\n  network: none\n',
    ],
    ['removes a field with its line', { remove: ['license'] }, "license: 'MIT'\n", ''],
    [
      'removes a field of several lines',
      { remove: ['allowed-tools'] },
      'allowed-tools:\n- Read\n- Grep\n',
      '',
    ],
    ['removes a field of a map', { remove: ['metadata.author'] }, '  author: Ada\n', ''],
    ['removes nothing that is not there', { remove: ['tags', 'metadata.x'] }, '', ''],
    ['changes the body only', { body: '\n\nNew.\n' }, '# PDF\n\nText.', 'New.'],
  ]
  it.each(cases)('%s', (_what, changes, from, to) => {
    expect(editSkillMd(file, changes)).toBe(file.replace(from, to))
    const windows = `\uFEFF${file.replaceAll('\n', '\r\n')}`
    const crlf = (text: string) => text.replaceAll('\n', '\r\n')
    expect(editSkillMd(windows, changes)).toBe(windows.replace(crlf(from), crlf(to)))
  })

  it('takes the line end of its neighbours where a file mixes them', () => {
    const mixed = '---\r\nname: pdf\ndescription: d\r\n---\n\nBody\r\nmore\n'
    expect(editSkillMd(mixed, { set: { license: 'MIT' } })).toBe(
      mixed.replace('d\r\n', 'd\r\nlicense: MIT\r\n'),
    )
    expect(editSkillMd(mixed, { set: { name: 'x\ny' } })).toBe(mixed.replace('pdf', '"x\\ny"'))
  })

  it('keeps block scalars folded or literal, and their comment', () => {
    const folded = lines(
      '---',
      'name: pdf',
      'description: >- # long',
      '   One line',
      '   and two.',
      'a: b',
      '---',
      '',
    )
    const words = Array.from({ length: 30 }, () => 'word').join(' ')
    const edited = editSkillMd(folded, { set: { description: words } })
    expect(edited).toMatch(/description: >- # long\n {3}word[ a-z]{50,60}\n {3}word/)
    expect(values(edited)).toEqual({ name: 'pdf', description: words, a: 'b' })
    const literal = lines('---', 'name: pdf', 'description: |', '  One', '', '  two', '---', '')
    expect(editSkillMd(literal, { set: { description: 'x\n\ny: z' } })).toBe(
      literal.replace('|\n  One\n\n  two', '|-\n  x\n\n  y: z'),
    )
  })

  it('writes valid YAML over a value that had to be repaired, and leaves the other ones as they are', () => {
    const slip = lines(
      '---',
      'name: pdf',
      'description: Use when: asked',
      '  for it',
      'hint: [a] [b]',
      '---',
      '',
    )
    expect(editSkillMd(slip, { set: { description: 'Reads: x' } })).toBe(
      slip.replace('Use when: asked\n  for it', '"Reads: x"'),
    )
    expect(editSkillMd(slip, { set: { name: 'doc' } })).toBe(slip.replace('pdf', 'doc'))
    expect(editSkillMd(slip, { remove: ['description'] })).toBe(
      slip.replace('description: Use when: asked\n  for it\n', ''),
    )
    const nested = lines(
      '---',
      'name: pdf',
      'description: d',
      'metadata:',
      '  short: a: b',
      '  n: 1',
      '---',
      '',
    )
    expect(editSkillMd(nested, { set: { 'metadata.short': 'c' } })).toBe(nested.replace('a: b', '"c"'))
    expect(editSkillMd(nested, { set: { 'metadata.n': 2 } })).toBe(nested.replace('n: 1', 'n: 2'))
    const lost = lines('---', 'name: pdf', 'description: d', 'metadata: {"a": {"b": 1}', '---', '')
    expect(editSkillMd(lost, { set: { metadata: { a: 1 } } })).toBe(
      lost.replace('metadata: {"a": {"b": 1}', 'metadata:\n  a: 1'),
    )
    expect(editSkillMd(lost, { remove: ['metadata'] })).toBe(lost.replace('metadata: {"a": {"b": 1}\n', ''))
  })

  it('gives a file without frontmatter some', () => {
    expect(editSkillMd('# Title\n', { set: { name: 'pdf', description: 'Reads.' } })).toBe(
      '---\nname: pdf\ndescription: Reads.\n---\n\n# Title\n',
    )
    expect(editSkillMd('', { set: { name: 'pdf' }, body: 'Hi' })).toBe('---\nname: pdf\n---\n\nHi\n')
    expect(editSkillMd('---\n---\nBody', { set: { name: 'pdf' } })).toBe('---\nname: pdf\n---\nBody')
  })

  it('with the value that stands there changes nothing, line ends of a block scalar aside', () => {
    expect(editSkillMd(file, { set: values(file), body: '# PDF\n\nText.' })).toBe(file)
    const block = '---\nname: pdf\ndescription: |\n  One\n---\n'
    expect(editSkillMd(block, { set: { description: 'One' } })).toBe(block)
    expect(editSkillMd(file, { set: { metadata: { version: '1.0', author: 'Ada' }, tags: undefined } })).toBe(
      file,
    )
  })

  const refused: [what: string, text: string, changes: SkillEdit][] = [
    ['broken YAML', '---\nname: "a \\[b"\n---\n', { set: { license: 'x' } }],
    ['no closing fence', '---\nname: pdf\n', { set: { license: 'x' } }],
    ['no closing fence, for the body', '---\nname: pdf\n', { body: 'x' }],
    ['marks of a merge conflict', '---\nname: a\n<<<<<<< x\n---\n', { set: { name: 'x' } }],
    ['frontmatter in braces', '---\n{name: a}\n---\n', { set: { name: 'x' } }],
    ['a function', file, { set: { name: () => 'x' } }],
    ['an endless number', file, { set: { priority: Number.POSITIVE_INFINITY } }],
    ['a forbidden name', file, { set: { 'metadata.__proto__': 'x' } }],
    ['a text that other fields repeat', '---\na: &x 1\nb: *x\n---\n', { set: { a: 2 } }],
    ['more than frontmatter may hold', file, { set: { description: 'x'.repeat(20_000) } }],
  ]
  it.each(refused)('refuses %s and says what to do', (_what, text, changes) => {
    expect(() => editSkillMd(text, changes)).toThrow(AppError)
    try {
      editSkillMd(text, changes)
    } catch (error) {
      expect(error).toMatchObject({ code: 'bad_input' })
      expect((error as AppError).message).toMatch(/\. [A-Z"]|only|holds|nested/)
    }
  })
})

describe('an edit of a file that was repaired', () => {
  const odd = lines(
    '---',
    'name: pdf',
    'description:',
    '  Use when: asked',
    'license: MIT',
    '---',
    'Body',
    '',
  )

  it('writes a description that stood below its key behind it', () => {
    expect(editSkillMd(odd, { set: { description: 'Reads.' } })).toMatch(
      /^description: (?:Reads\.|"Reads\.")\nlicense: MIT$/m,
    )
  })

  it('keeps such a description as it is when another field changes', () => {
    expect(editSkillMd(odd, { set: { license: 'BSD' } })).toBe(odd.replace('MIT', 'BSD'))
  })

  it('is refused where a line ends the fields early', () => {
    const text = lines('---', 'name: pdf', 'description: d', '...', '---', '')
    expect(() => editSkillMd(text, { set: { license: 'MIT' } })).toThrow(/ends the fields early/)
  })
})
