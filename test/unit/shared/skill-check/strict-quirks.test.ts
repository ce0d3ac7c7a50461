import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { strictErrors, strictProperties } from '@shared/skill-check/strict'
import type { StrictFolder, StrictOptions } from '@shared/skill-check/strict'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const folder = (skillMd: string | Uint8Array, name = 'my-skill'): StrictFolder => ({
  path: name,
  kind: 'folder',
  name,
  skillMd: { name: 'SKILL.md', bytes: typeof skillMd === 'string' ? bytesOf(skillMd) : skillMd },
})
const front = (...fields: string[]) => `---\nname: my-skill\n${fields.join('\n')}\n---\nBody\n`
const errors = (text: string | Uint8Array, options?: StrictOptions) => strictErrors(folder(text), options)
const properties = (text: string, options?: StrictOptions) => {
  const read = strictProperties(folder(text), options)
  return read.ok ? read.properties : read.error
}

const YAML = /^Invalid YAML in frontmatter: ./

describe('mistakes of the reference that only exact makes', () => {
  it.each([
    ['flow list', front('description: d', 'allowed-tools: [Read, Bash]')],
    ['flow mapping', front('description: d', 'metadata: {"a": "b"}')],
    ['flow style deep inside', front('description: d', 'metadata:', '  a:', '    - [b]')],
    ['anchor', front('description: &a d')],
    ['anchor and alias', front('description: &a d', 'license: *a')],
    ['core tag', front('description: !!str d')],
    ['tab after a colon', front('description:\td')],
    ['tab in a plain text', front('description: a\tb')],
    ['tab at the end of a line', front('description: d\t')],
    ['tab in an empty line', front('description: d', '\t', 'license: MIT')],
    ['tab in front of a comment', front('description: d\t# c')],
  ])('refuses YAML it calls confusing: %s', (_what, text) => {
    expect(errors(text)).toEqual([])
    expect(errors(text, { exact: true })).toEqual([expect.stringMatching(YAML)])
    expect(properties(text, { exact: true })).toMatch(YAML)
  })

  it.each([
    [
      'maps at different columns',
      front('description: d', 'metadata:', '  a:', '    b: c', '  d:', '      e: f'),
    ],
    ['tab at the margin of a block', front('description: |', '  d', '\t')],
    ['a merge key without a map', front('description: d', '<<: x')],
    ['a merge key with a list of texts', front('description: d', 'metadata:', '  <<:', '  - x')],
  ])('refuses %s', (_what, text) => {
    expect(errors(text, { exact: true })).toEqual([expect.stringMatching(YAML)])
  })

  it.each([
    ['quotes', 'description: "a\tb"'],
    ['a comment', 'description: d #\tc'],
    ['a block', 'description: |\n  a\tb\n  \t'],
  ])('takes a tab in %s', (_what, field) => {
    expect(errors(front(field), { exact: true })).toEqual([])
  })

  it('merges the fields of maps behind "<<" into a field, and forgets those of the frontmatter itself', () => {
    const merged = front(
      'description: d',
      'metadata:',
      '  <<:',
      '    a: b',
      '    c: e',
      '  c: d',
      '<<:',
      '  license: MIT',
    )
    expect(errors(merged, { exact: true })).toEqual([])
    expect(properties(merged, { exact: true })).toEqual({
      name: 'my-skill',
      description: 'd',
      metadata: { c: 'd', a: 'b' },
    })
    const list = front('description: d', 'metadata:', '  <<:', '  - a: b', '  - a: c', '    d: e')
    expect(properties(list, { exact: true })).toMatchObject({ metadata: { a: 'b', d: 'e' } })
    expect(errors(front('description: d', '"<<": x'), { exact: true })).toEqual([
      expect.stringMatching(/^Unexpected fields in frontmatter: <<\./),
    ])
  })

  it('lets the further lines of a quoted text start anywhere', () => {
    const text = front(
      'description: "One',
      'two',
      '',
      'it\'s\\" three"',
      "license: 'a",
      "''b'",
      'metadata:',
      '  a: "x',
      ' y"',
    )
    expect(errors(text, { exact: true })).toEqual([])
    expect(properties(text, { exact: true })).toEqual({
      name: 'my-skill',
      description: 'One two\nit\'s" three',
      license: "a 'b",
      metadata: { a: 'x y' },
    })
    expect(errors(text)).toEqual([expect.stringMatching(YAML)])
    const ended = front('description: "One', '... two"')
    expect(errors(ended, { exact: true })).toEqual([expect.stringMatching(YAML)])
  })

  it('cuts at "---" in the middle of a value, which leaks the rest into the body', () => {
    const text = front('description: Use a --- separator')
    expect(strictProperties(folder(text), { exact: true })).toEqual({
      ok: true,
      properties: { name: 'my-skill', description: 'Use a' },
      body: 'separator\n---\nBody',
    })
    expect(strictProperties(folder(text))).toEqual({
      ok: true,
      properties: { name: 'my-skill', description: 'Use a --- separator' },
      body: 'Body',
    })
  })

  it('takes an indented fence for the end', () => {
    const text = '---\nname: my-skill\ndescription: d\n  ---\nBody\n'
    expect(errors(text, { exact: true })).toEqual([])
    expect(errors(text)).toEqual(['SKILL.md frontmatter not properly closed with ---'])
  })

  it('reads nothing as the text that stands for it', () => {
    const text = front('description: ~', 'license: null')
    expect(properties(text, { exact: true })).toEqual({ name: 'my-skill', description: '~', license: 'null' })
    expect(errors(text)).toEqual(["Field 'description' must be a non-empty string"])
  })
})

describe.each([{ exact: false }, { exact: true }])('what both do, exact: $exact', (options) => {
  it.each(['\u0000', '\u0001', '\u001b', '\u007f', '\u0086', '\ufffe'])(
    'a character that YAML does not let stand in a text is an error: %j',
    (character) => {
      const text = front(`description: d${character}e`)
      expect(errors(text, options)).toEqual([expect.stringMatching(YAML)])
    },
  )

  it.each([
    ['duplicate key', front('description: d', 'description: e')],
    ['custom tag', front('description: !mine d')],
    ['alias of nothing', front('description: *a')],
    ['reserved start', front('description: @d')],
    ['second document', front('description: d', '...', 'license: MIT')],
    ['unclosed quote', front('description: "d')],
  ])('refuses invalid YAML: %s', (_what, text) => {
    expect(errors(text, options)).toEqual([expect.stringMatching(YAML)])
  })

  it.each([
    ['nothing between the fences', '---\n---\nBody', 'SKILL.md frontmatter must be a YAML mapping'],
    ['a text between the fences', '---\njust text\n---\n', 'SKILL.md frontmatter must be a YAML mapping'],
    ['a blank first line', '\n---\nname: a\n---\n', 'SKILL.md must start with YAML frontmatter (---)'],
    ['dots as the closing fence', '---\nname: a\n...\n', 'SKILL.md frontmatter not properly closed with ---'],
  ])('says what is wrong with the fences: %s', (_what, text, error) => {
    expect(errors(text, options)).toEqual([error])
    expect(properties(text, options)).toBe(error)
  })

  it('keeps scalars as they are written', () => {
    const text = front('description: 1.0', 'license: 0x1F', 'compatibility: yes', 'metadata:', '  v: 1.20')
    expect(properties(text, options)).toEqual({
      name: 'my-skill',
      description: '1.0',
      license: '0x1F',
      compatibility: 'yes',
      metadata: { v: '1.20' },
    })
  })

  it('turns what lies deeper in metadata into text as Python prints it', () => {
    const text = front(
      'description: d',
      'metadata:',
      '  openclaw:',
      '    requires:',
      '      - git',
      '      - "it\'s"',
      '    note: "a\\nb"',
    )
    expect(properties(text, options)).toMatchObject({
      metadata: { openclaw: `{'requires': ['git', "it's"], 'note': 'a\\nb'}` },
    })
  })

  it('leaves empty metadata out and keeps other empty fields', () => {
    expect(properties(front('description: d', 'license:', 'metadata:'), options)).toEqual({
      name: 'my-skill',
      description: 'd',
      license: '',
    })
  })

  it('counts code points, and those of the description with the white space around them', () => {
    const emoji = front(`description: ${'😀'.repeat(1024)}`)
    expect(errors(emoji, options)).toEqual([])
    expect(errors(front(`description: "${'x'.repeat(1020)}     "`), options)).toEqual([
      'Description exceeds 1024 character limit (1025 chars)',
    ])
    expect(errors(front(`description: |\n  ${'x'.repeat(1024)}`), options)).toEqual([])
  })

  it('lists unexpected fields in the order of their code points', () => {
    expect(errors(front('description: d', 'b: 1', 'Z: 1', 'a: 1', 'é: 1'), options)[0]).toMatch(
      /^Unexpected fields in frontmatter: Z, a, b, é\. Only \[/,
    )
  })

  it('says that a name or description of another kind is not filled', () => {
    const text = '---\nname:\n  - a\ndescription:\n  b: c\n---\n'
    expect(errors(text, options)).toEqual([
      "Field 'name' must be a non-empty string",
      "Field 'description' must be a non-empty string",
    ])
  })

  it.each([
    ['./a//b/', 'a/b'],
    ['/a/./b/..', '/a/b/..'],
    ['.', '.'],
  ])('writes the path %s as %s', (path, shown) => {
    expect(strictErrors({ ...folder(''), path, kind: 'missing' }, options)).toEqual([
      `Path does not exist: ${shown}`,
    ])
  })

  it.each([
    [[0x61, 0xff], "can't decode byte 0xff in position 1: invalid start byte"],
    [[0xe2, 0x82], "can't decode bytes in position 0-1: unexpected end of data"],
    [[0xe2, 0x82, 0x41], "can't decode bytes in position 0-1: invalid continuation byte"],
    [[0xed, 0xa0, 0x80], "can't decode byte 0xed in position 0: invalid continuation byte"],
    [[0xc0, 0x80], "can't decode byte 0xc0 in position 0: invalid start byte"],
    [[0xf4, 0x90, 0x80, 0x80], "can't decode byte 0xf4 in position 0: invalid continuation byte"],
  ])('names the bytes that are not UTF-8 as Python does: %j', (bytes, message) => {
    const [error = ''] = errors(Uint8Array.from(bytes), options)
    expect(error).toBe(
      `${options.exact ? 'UnicodeDecodeError' : 'SKILL.md is not UTF-8'}: 'utf-8' codec ${message}`,
    )
  })

  it('never throws, whatever the bytes are', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }).map(bytesOf),
      fc.uint8Array(),
      fc
        .string({ unit: fc.constantFrom('-', '\n', ':', ' ', 'a', '[', '{', '&', '*', '!', '"', '#', '\t') })
        .map((yaml) => bytesOf(`---\n${yaml}\n---\n`)),
    )
    fc.assert(
      fc.property(text, (bytes) => {
        const found = errors(bytes, options)
        const read = strictProperties(folder(bytes), options)
        expect(found.every((error) => error !== '')).toBe(true)
        // What validates can be read.
        if (found.length === 0) expect(read.ok).toBe(true)
      }),
    )
  })

  it('agrees with the decoder on what UTF-8 is', () => {
    const decodes = (bytes: Uint8Array) => {
      try {
        new TextDecoder('utf-8', { fatal: true }).decode(bytes)
        return true
      } catch {
        return false // the answer
      }
    }
    const odd = fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f, 0xff)
    fc.assert(
      fc.property(fc.array(odd, { maxLength: 8 }), (list) => {
        const bytes = Uint8Array.from(list)
        expect(/UTF-8: 'utf-8'|UnicodeDecode/.test(errors(bytes, options)[0] ?? '')).toBe(!decodes(bytes))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['brackets', '['.repeat(15_000)],
    ['nested lists', '- '.repeat(7000)],
    ['many lines', 'a:\n'.repeat(5000)],
    ['dots', '...\n'.repeat(3900)],
  ])('answers hostile frontmatter at once: %s', (_what, yaml) => {
    const start = performance.now()
    expect(errors(`---\n${yaml}\n---\n`, options)).toHaveLength(1)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})
