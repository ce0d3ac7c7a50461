import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSkillMd, parseSkillMd } from '@shared/skill-md'
import { tries } from '../../helpers/sample'

const parse = (text: string) => parseSkillMd(text, { folderName: 'pdf' })
const codes = (text: string) => parse(text).diagnostics.map((d) => d.code)
const front = (yaml: string, body = 'Do it.') => `---\n${yaml}\n---\n\n${body}\n`

describe('hostile input', () => {
  const lol = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'.split('').map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`),
  ].join('\n')
  const cases: [string, string, string][] = [
    ['an alias bomb', front(`name: pdf\ndescription: d\n${lol}`), 'yaml-limit'],
    ['an alias to itself', front('name: pdf\ndescription: d\na: &x [*x]'), 'yaml-limit'],
    ['flow nested 100,000 deep', front(`name: pdf\na: ${'['.repeat(100_000)}`), 'frontmatter-too-large'],
    ['flow nested 7,000 deep', front(`name: pdf\na: ${'['.repeat(7_000)}${']'.repeat(7_000)}`), 'yaml-limit'],
    ['40 levels', front(`name: pdf\ndescription: d\na: ${'['.repeat(40)}${']'.repeat(40)}`), 'yaml-limit'],
    ['explicit keys nested 7,000 deep', front('? '.repeat(7_000)), 'yaml-limit'],
    [
      '300 aliases',
      front(
        `name: pdf\ndescription: d\n${Array.from({ length: 300 }, (_, i) => `k${i}: &a${i} v\nl${i}: *a${i}`).join('\n')}`,
      ),
      'yaml-limit',
    ],
    ['a tag that makes functions', front('name: pdf\ndescription: !!js/function "x"'), 'yaml-tag'],
    ['2 MB of text', front('name: pdf\ndescription: d', 'x'.repeat(2_000_000)), 'too-large'],
    ['a million lines of frontmatter', `---\n${'a: b\n'.repeat(200_000)}---\n`, 'frontmatter-too-large'],
    ['a million fences', '---\n'.repeat(250_000), 'frontmatter-not-a-mapping'],
    ['15,000 errors on one line', front(`name: [${','.repeat(15_000)}]`), 'yaml-invalid'],
    ['15,000 errors on 8,000 lines', front('\n{'.repeat(7_900)), 'frontmatter-too-large'],
    ['8,000 pairs of brackets', front('[]'.repeat(7_990)), 'yaml-invalid'],
  ]
  it.each(cases)('%s is refused with the reason and within the limit', (_what, text, code) => {
    const before = process.cpuUsage()
    const skill = parse(text)
    const { user, system } = process.cpuUsage(before)
    expect(skill.diagnostics[0]).toMatchObject({ code, severity: 'error' })
    expect(skill.broken).toBe(true)
    // Time of the processor, so that a busy machine does not matter. Without the guards some take minutes.
    expect((user + system) / 1000).toBeLessThan(1000)
  })

  it('__proto__ as a key changes no prototype and is left out', () => {
    const skill = parse(
      front('name: pdf\ndescription: d\n__proto__: {polluted: 1}\nmetadata: {__proto__: {polluted: 2}}'),
    )
    expect(codes(front('name: pdf\ndescription: d\n__proto__: {a: 1}'))).toContain('key-ignored')
    expect(Object.getPrototypeOf(skill.frontmatter)).toBe(Object.prototype)
    expect((skill.frontmatter as { polluted?: unknown }).polluted).toBeUndefined()
    expect((skill.metadata as { polluted?: unknown }).polluted).toBeUndefined()
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('never throws, for any text, and always gives a legal name and a line within the file', () => {
    const piece = fc.constantFrom(
      '---',
      '---\n',
      '\n',
      'name: ',
      'description: ',
      'a: b: c',
      '[',
      '{',
      '*x',
      '&x ',
      '!!t ',
      '"',
      "'",
      '|\n',
      '  ',
      '\t',
      '- ',
      '? ',
      ': ',
      '\r\n',
      '\uFEFF',
      '\u0000',
      '#',
      '%',
      '<<<<<<< ',
      '__proto__: ',
    )
    const text = fc
      .array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 12 })), { maxLength: 30 })
      .map((p) => p.join(''))
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((t) => `---\n${t}\n---\n`),
        ),
        fc.string(),
        (input, folderName) => {
          const skill = parseSkillMd(input, { folderName })
          expect(skill.name).toMatch(/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u)
          expect(skill.broken).toBe(skill.diagnostics.some((d) => d.severity === 'error'))
          const lines = input.split(/\r\n|\n|\r/).length
          for (const found of skill.diagnostics) expect(found.line ?? 1).toBeLessThanOrEqual(lines + 1)
          JSON.stringify(skill)
        },
      ),
      { numRuns: tries(1500) },
    )
  })

  it('reads back any description that was written as a quoted scalar', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), (text) => {
        fc.pre(text.trim() !== '')
        const clean = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').trim()
        fc.pre(clean !== '')
        expect(parse(front(`name: pdf\ndescription: ${JSON.stringify(clean)}`)).description).toBe(clean)
      }),
      { numRuns: 300 },
    )
  })
})

describe('bytes of a SKILL.md', () => {
  const bytes = (...values: number[]) => Uint8Array.from(values)
  const cases: [string, Uint8Array, string][] = [
    ['no bytes', bytes(), 'empty'],
    ['a zero byte', Buffer.from('PK\u0003\u0004 long enough \u0000 text'), 'binary'],
    ['over 1 MB', new Uint8Array(1_048_577).fill(97), 'too-large'],
    ['UTF-16 with a mark', bytes(0xff, 0xfe, 0x2d, 0), 'not-utf8'],
    ['UTF-16 without a mark', Buffer.from('---\nname: x', 'utf16le'), 'not-utf8'],
    ['Latin-1', Buffer.from('---\nname: caf\u00e9\n', 'latin1'), 'not-utf8'],
  ]
  it.each(cases)('%s give no text but the reason and what to do', (_what, input, code) => {
    const decoded = decodeSkillMd(input)
    expect(decoded.text).toBe('')
    expect(decoded.problem).toMatchObject({ code, severity: 'error' })
    expect(decoded.problem?.fix).toBeTruthy()
  })
  it('tells the line of the first byte that is not UTF-8', () => {
    expect(decodeSkillMd(Buffer.from('a\nb\ncaf\u00e9', 'latin1')).problem?.line).toBe(3)
  })
  it('exactly 1 MB of text is read', () => {
    expect(decodeSkillMd(new Uint8Array(1_048_576).fill(97)).problem).toBeNull()
  })
})
