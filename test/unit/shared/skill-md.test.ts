import { describe, expect, it } from 'vitest'
import { parseSkillMd } from '@shared/skill-md'

const parse = (text: string, folderName = 'pdf') => parseSkillMd(text, { folderName })
const codes = (text: string, folderName = 'pdf') => parse(text, folderName).diagnostics.map((d) => d.code)
const front = (yaml: string, body = 'Do it.') => `---\n${yaml}\n---\n\n${body}\n`

describe('a SKILL.md as people write it', () => {
  it('gives name, description, other fields and body with the line where the body starts', () => {
    const skill = parse(
      front(
        [
          'name: pdf',
          'description: Reads PDF files.',
          'license: MIT',
          'allowed-tools: Read, Bash(git add *)',
          'requires: [ocr, fonts]',
          'disable-model-invocation: yes',
          'user-invocable: off',
          'priority: 3',
          'x-mine: [1, {a: true}]',
        ].join('\n'),
        '# PDF\n\nDo it.',
      ),
    )
    expect(skill).toMatchObject({
      name: 'pdf',
      description: 'Reads PDF files.',
      license: 'MIT',
      allowedTools: ['Read', 'Bash(git add *)'],
      requires: ['ocr', 'fonts'],
      disableModelInvocation: true,
      userInvocable: false,
      priority: 3,
      body: '# PDF\n\nDo it.',
      bodyLine: 13,
      broken: false,
      diagnostics: [],
    })
    expect(skill.frontmatter['x-mine']).toEqual([1, { a: true }])
  })

  it('reads CRLF and a byte order mark like any other file', () => {
    const plain = parse(front('name: pdf\ndescription: Reads.'))
    const windows = parse(`\uFEFF${front('name: pdf\ndescription: Reads.').replaceAll('\n', '\r\n')}`)
    expect(windows).toEqual(plain)
    expect(plain.diagnostics).toEqual([])
  })

  it('keeps scalars of text fields as they are written', () => {
    const skill = parse(front('name: 123\ndescription: true\nversion: 1.0\nlicense: [MIT, Apache]'), '123')
    expect(skill).toMatchObject({ name: '123', description: 'true', version: '1.0', license: 'MIT, Apache' })
    expect(skill.diagnostics.map((d) => [d.code, d.severity, d.line])).toEqual(
      [
        ['read-as-text', 'info', 2],
        ['read-as-text', 'info', 3],
        ['read-as-text', 'info', 5],
        ['read-as-text', 'info', 4],
      ].sort((a, b) => order(a) - order(b)),
    )
  })

  it('accepts snake and camel spellings of the keys', () => {
    const skill = parse(front('name: pdf\ndescription: d\nallowed_tools: Read\nuserInvocable: false'))
    expect(skill.allowedTools).toEqual(['Read'])
    expect(skill.userInvocable).toBe(false)
  })
})

/** Fields are read in a fixed order: name, description, license, version. */
function order([, , line]: readonly unknown[]): number {
  return [2, 3, 5, 4].indexOf(line as number)
}

describe('the quirks of real files', () => {
  const cases: [
    quirk: string,
    text: string,
    want: { codes: string[]; broken: boolean } & Record<string, unknown>,
  ][] = [
    [
      '1: an unquoted ": " is read as text',
      front('name: pdf\ndescription: Use when: the user asks'),
      { codes: ['yaml-repaired'], broken: false, description: 'Use when: the user asks' },
    ],
    [
      '1: also on a continuation line',
      front('name: pdf\ndescription: Reads files.\n  Use when: asked\nlicense: MIT'),
      {
        codes: ['yaml-repaired'],
        broken: false,
        description: 'Reads files. Use when: asked',
        license: 'MIT',
      },
    ],
    [
      '1: also inside metadata',
      front('name: pdf\ndescription: d\nmetadata:\n  short: a: b\n  n: 1'),
      { codes: ['yaml-repaired'], broken: false, metadata: { short: 'a: b', n: 1 } },
    ],
    [
      '2: junk after a flow sequence',
      front('name: pdf\ndescription: d\nargument-hint: [a] [b]'),
      { codes: ['yaml-repaired'], broken: false, argumentHint: '[a] [b]' },
    ],
    [
      '3: a scalar that starts with a backtick',
      front('name: pdf\ndescription: `pdf` files'),
      { codes: ['yaml-repaired'], broken: false, description: '`pdf` files' },
    ],
    [
      '3: a scalar that starts with a comma',
      front('name: pdf\ndescription: , x'),
      { codes: ['yaml-repaired'], broken: false, description: ', x' },
    ],
    [
      '3: a scalar that starts with @',
      front('name: pdf\ndescription: @x'),
      { codes: ['yaml-repaired'], broken: false, description: '@x' },
    ],
    [
      '4: unbalanced JSON in metadata loses that field only',
      front('name: pdf\nmetadata: {"a": {"b": 1}\ndescription: d\nlicense: MIT'),
      { codes: ['field-left-out'], broken: false, description: 'd', license: 'MIT', metadata: {} },
    ],
    [
      '5: merge conflict marks',
      front('name: pdf\n<<<<<<< HEAD\ndescription: a\n=======\ndescription: b\n>>>>>>> x'),
      { codes: ['merge-conflict'], broken: true },
    ],
    [
      '6: a field that became a heading',
      front('## name: pdf\n## description: x\nlicense: MIT'),
      { codes: ['name-missing', 'description-missing', 'field-as-heading'], broken: true },
    ],
    [
      '6: fields of which nothing but headings is left',
      front('## name: pdf\n## description: x'),
      { codes: ['field-as-heading'], broken: true, name: 'pdf' },
    ],
    [
      '6: only the name became a heading',
      front('## name: pdf\ndescription: x'),
      { codes: ['name-missing', 'field-as-heading'], broken: true },
    ],
    [
      '6: a name that is commented out, or within a text, is none',
      front('# name: pdf\ndescription: |\n  ## name: x'),
      { codes: ['name-missing'], broken: false },
    ],
    [
      '6: an escaped field name, which would limit nothing',
      front('name: pdf\ndescription: d\nallowed\\_tools: Read'),
      { codes: ['field-escaped'], broken: true },
    ],
    [
      'a tag on an unknown field loses that field only',
      front('name: pdf\ndescription: d\nicon: !foo bar'),
      { codes: ['field-left-out'], broken: false, description: 'd' },
    ],
    [
      'a tag on a field that limits breaks the skill',
      front('name: pdf\ndescription: d\nallowed-tools: !foo Read'),
      { codes: ['yaml-tag'], broken: true },
    ],
    [
      'a limit that can not be read is not left out',
      front('name: pdf\ndescription: d\nallowed-tools: {a: [Read'),
      { codes: ['yaml-invalid'], broken: true },
    ],
    [
      'a word behind "!" in a description',
      front('name: pdf\ndescription: !important use this'),
      { codes: ['yaml-repaired'], broken: false, description: '!important use this' },
    ],
    [
      'a colon in a description that starts on the next line',
      front('name: pdf\ndescription:\n  Reads files\n  with a: colon\nlicense: MIT'),
      { codes: ['yaml-repaired'], broken: false, description: 'Reads files with a: colon', license: 'MIT' },
    ],
    [
      'a description that is a map for YAML',
      front('name: pdf\ndescription:\n  Use when: the person asks'),
      { codes: ['yaml-repaired'], broken: false, description: 'Use when: the person asks' },
    ],
    [
      'a description that is a map of one plain word for YAML',
      front('name: pdf\ndescription:\n  Use: always'),
      { codes: ['yaml-repaired'], broken: false, description: 'Use: always' },
    ],
    [
      'a description behind ">" on the same line',
      front('name: pdf\ndescription: > use when asked: now'),
      { codes: ['yaml-repaired'], broken: false, description: 'use when asked: now' },
    ],
    [
      'fields below "..." are read all the same',
      front('name: pdf\ndescription: d\n...\nallowed-tools: Read'),
      { codes: ['document-end'], broken: false, allowedTools: ['Read'] },
    ],
    [
      'text behind the end of the document would be lost',
      front('name: pdf\ndescription: d\n--- allowed-tools'),
      { codes: ['document-end'], broken: true },
    ],
    [
      'nothing below "..." is nothing lost',
      front('name: pdf\ndescription: d\n...\n# ours'),
      { codes: [], broken: false },
    ],
    [
      '6: escaped brackets in quotes',
      front('name: pdf\ndescription: "a \\[b\\]"'),
      { codes: ['yaml-invalid'], broken: true },
    ],
    [
      '7: a control character',
      front('name: pdf\ndescription: a\u0007b'),
      { codes: ['control-characters'], broken: false, description: 'ab' },
    ],
    [
      '10: a blank line before the fence',
      `\n${front('name: pdf\ndescription: d')}`,
      { codes: ['blank-before-frontmatter'], broken: false },
    ],
    [
      '11: an indented closing fence',
      '---\nname: pdf\ndescription: d\n  ---\nBody',
      { codes: ['fence-indented'], broken: false, body: 'Body' },
    ],
    [
      '12: no closing fence',
      '---\nname: pdf\ndescription: d\n# Title\n',
      { codes: ['frontmatter-not-closed'], broken: true },
    ],
    [
      '13: no frontmatter',
      '# Title\n\nText',
      { codes: ['frontmatter-missing'], broken: true, body: '# Title\n\nText', name: 'pdf' },
    ],
    [
      '15: flow style',
      front('name: pdf\ndescription: d\nallowed-tools: [Read, Glob]\nmetadata: {"a": 1}'),
      { codes: [], broken: false, allowedTools: ['Read', 'Glob'] },
    ],
    [
      '16: a block scalar',
      front('name: pdf\ndescription: >-\n  one\n  two\n\n  three'),
      { codes: [], broken: false, description: 'one two\nthree' },
    ],
    [
      '17: --- inside a value',
      front('name: pdf\ndescription: a --- b'),
      { codes: [], broken: false, description: 'a --- b' },
    ],
    [
      '17: an indented --- inside a block scalar',
      front('name: pdf\ndescription: |\n  a\n  ---\n  b'),
      { codes: [], broken: false, description: 'a\n---\nb' },
    ],
    [
      '18: nested metadata',
      front('name: pdf\ndescription: d\nmetadata:\n  openclaw: {requires: {bins: [x]}}'),
      { codes: [], broken: false, metadata: { openclaw: { requires: { bins: ['x'] } } } },
    ],
    [
      '19: a name that differs from the folder',
      front('name: other\ndescription: d'),
      { codes: ['name-differs-from-folder'], broken: false, name: 'other' },
    ],
    [
      '21: a title as name',
      front('name: Writing Hookify Rules\ndescription: d'),
      { codes: ['name-invalid'], broken: false, name: 'pdf', label: 'Writing Hookify Rules' },
    ],
    ['22: no name', front('description: d'), { codes: ['name-missing'], broken: false, name: 'pdf' }],
    ['22: no description', front('name: pdf'), { codes: ['description-missing'], broken: true }],
    [
      '23: a long description',
      front(`name: pdf\ndescription: ${'x'.repeat(1025)}`),
      { codes: ['description-long'], broken: false },
    ],
    [
      'duplicate keys',
      front('name: pdf\ndescription: a\ndescription: b'),
      { codes: ['duplicate-key'], broken: false, description: 'b' },
    ],
    ['empty frontmatter', '---\n---\nBody', { codes: ['frontmatter-not-a-mapping'], broken: true }],
    ['a list as frontmatter', front('- a\n- b'), { codes: ['frontmatter-not-a-mapping'], broken: true }],
    ['an empty file', '', { codes: ['empty'], broken: true }],
    [
      'an unclosed quote in the name',
      front('name: "pdf\ndescription: d'),
      { codes: ['yaml-repaired'], broken: false, name: 'pdf', label: 'pdf', description: 'd' },
    ],
  ]
  it.each(cases)('quirk %s', (_quirk, text, { codes: want, ...fields }) => {
    const skill = parse(text)
    expect(skill.diagnostics.map((d) => d.code)).toEqual(want)
    expect(skill).toMatchObject(fields)
  })

  it('every problem but an information says what to do', () => {
    for (const [, text] of cases) {
      for (const found of parse(text).diagnostics) {
        expect(found.fix ?? (found.severity === 'info' ? 'none needed' : ''), found.code).not.toBe('')
      }
    }
  })

  it('points to the line of the slip, counted in the file', () => {
    expect(parse(front('name: pdf\nlicense: MIT\ndescription: a: b')).diagnostics[0]).toMatchObject({
      line: 4,
    })
    expect(parse(front('name: pdf\ndescription: "a \\[b"')).diagnostics[0]).toMatchObject({ line: 3 })
  })

  it('still knows the name and description of a file it can not use', () => {
    const skill = parse(front('name: reader\ndescription: "a \\[b"\nlicense: x'))
    expect(skill).toMatchObject({ broken: true, name: 'reader', description: 'a \\[b' })
  })
})

describe('names', () => {
  it.each(['技能', 'мой-навык', 'a', 'a1-b2', 'x'.repeat(64)])('%s is legal', (name) => {
    expect(parse(front(`name: ${name}\ndescription: d`), name)).toMatchObject({ name, diagnostics: [] })
  })
  it('takes a composed and a decomposed é for the same name', () => {
    expect(parse(front('name: cafe\u0301\ndescription: d'), 'caf\u00e9')).toMatchObject({
      name: 'caf\u00e9',
      diagnostics: [],
    })
  })
  it.each(['-a', 'a-', 'a--b', 'A', 'a_b', 'a b', 'x'.repeat(65), 'НАВЫК', 'a/b'])(
    '%s is not, and the folder names it',
    (name) => {
      expect(parse(front(`name: "${name}"\ndescription: d`), 'Good Name')).toMatchObject({
        name: 'good-name',
        broken: false,
      })
    },
  )
})

describe('long bodies', () => {
  it.each([
    ['501 lines', 'x\n'.repeat(501).trimEnd(), ['body-long']],
    ['500 lines', 'x\n'.repeat(500).trimEnd(), []],
    ['more than 5,000 tokens', 'word '.repeat(6500), ['body-long']],
    ['no body', '', ['body-empty']],
  ])('%s', (_what, body, want) => {
    expect(codes(front('name: pdf\ndescription: d', body))).toEqual(want)
  })
})
