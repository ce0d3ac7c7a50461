import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSkillMd } from '@shared/skill-md'
import { applyEdits, fixEdits, inBytes } from '@shared/skill-md/fix-edits'
import { tries } from '../../../helpers/sample'
import { damaged, REAL, slippedFrontmatter } from './frontmatters'

const folderName = 'pdf'
const front = (...fields: string[]) => ['---', ...fields, '---', '', 'Body: é 😀', ''].join('\n')
const problemsOf = (text: string) => parseSkillMd(text, { folderName }).diagnostics
const codesOf = (text: string) => problemsOf(text).map(({ code }) => code)

/** The text after the fix of the first problem with this code. */
function fixed(text: string, code: string, message = ''): { text: string; title: string } | null {
  const problem = problemsOf(text).find((one) => one.code === code) ?? { code, message }
  const fix = fixEdits(text, { ...problem, folderName })
  return fix && { text: applyEdits(text, fix.edits), title: fix.title }
}

describe('the fix of a problem', () => {
  it.each([
    [
      'yaml-repaired',
      front('name: pdf', 'description: Use when: asked', 'license: MIT # ours'),
      front('name: pdf', 'description: "Use when: asked"', 'license: MIT # ours'),
      'Put "description" in quotes.',
    ],
    [
      'field-left-out',
      front('name: pdf', 'description: d', 'metadata: {"a": {'),
      front('name: pdf', 'description: d', '# metadata: {"a": {'),
      'Turned "metadata" into a comment, because it can\'t be read.',
    ],
    [
      'yaml-repaired',
      front('name: pdf', 'description: "Use for a user\'s forms', 'license: MIT'),
      front('name: pdf', 'description: "Use for a user\'s forms"', 'license: MIT'),
      'Put "description" in quotes.',
    ],
    [
      'yaml-repaired',
      front('name: pdf', "description: 'Use for a user's forms: asked", 'license: MIT'),
      front('name: pdf', 'description: "Use for a user\'s forms: asked"', 'license: MIT'),
      'Put "description" in quotes.',
    ],
    [
      'wrong-type',
      front('name: pdf', 'user-invocable: maybe # ?', 'description: d'),
      front('name: pdf', 'user-invocable: true # ?', 'description: d'),
      'Wrote "user-invocable: true".',
    ],
    [
      'frontmatter-not-closed',
      ['---', 'name: pdf', 'description: d', '', '# Title', ''].join('\n'),
      ['---', 'name: pdf', 'description: d', '', '---', '# Title', ''].join('\n'),
      /^Closed the frontmatter/,
    ],
    ['name-missing', front('description: d'), front('description: d', 'name: pdf'), 'Wrote "name: pdf".'],
    [
      'name-invalid',
      front("name: 'My PDF' # x", 'description: d'),
      front("name: 'pdf' # x", 'description: d'),
      'Wrote "name: pdf".',
    ],
    [
      'name-differs-from-folder',
      front('name: other', 'description: d'),
      front('name: pdf', 'description: d'),
      'Wrote "name: pdf".',
    ],
    [
      'read-as-text',
      front('name: pdf', 'description: 12.50 # price'),
      front('name: pdf', 'description: "12.50" # price'),
      'Put "description" in quotes.',
    ],
    [
      'agent-without-fork',
      front('name: pdf', 'description: d', 'agent: reviewer'),
      front('name: pdf', 'description: d', 'agent: reviewer', 'context: fork'),
      'Added "context: fork".',
    ],
    [
      'model-empty',
      front('name: pdf', 'model:', 'description: d'),
      front('name: pdf', 'description: d'),
      'Deleted "model".',
    ],
    [
      'field-left-out',
      front('name: pdf', 'description: d', 'metadata:', '\tauthor: me', '\tmore:', '\t\tdeep: 1'),
      front('name: pdf', 'description: d', 'metadata:', '  author: me', '  more:', '    deep: 1'),
      'Replaced tabs by spaces in the indentation.',
    ],
    [
      'yaml-invalid',
      front('\tname: pdf', '\tdescription: d'),
      front('  name: pdf', '  description: d'),
      'Replaced tabs by spaces in the indentation.',
    ],
    [
      'description-missing',
      front('name: pdf', 'description:', 'license: MIT # ours'),
      front('name: pdf', 'description: TODO what this skill does, and when to use it', 'license: MIT # ours'),
      /^Added a "description"/,
    ],
    [
      'frontmatter-missing',
      'Just text\n',
      [
        '---',
        'name: pdf',
        'description: TODO what this skill does, and when to use it',
        '---',
        '',
        'Just text',
        '',
      ].join('\n'),
      /^Added the frontmatter/,
    ],
    [
      'duplicate-key',
      front('name: pdf', 'tags:', '- x', 'description: d', '# kept', 'tags: # ours', '  - y', '  - z'),
      front('name: pdf', 'description: d', '# kept', 'tags: # ours', '  - y', '  - z'),
      'Deleted the "tags" that was not used.',
    ],
    [
      'field-escaped',
      front('name: pdf', 'description: d', 'allowed\\-tools: Read'),
      front('name: pdf', 'description: d', 'allowed-tools: Read'),
      /^Deleted backslashes/,
    ],
  ])('%s', (code, from, to, title) => {
    for (const [start, end] of [
      ['', '\n'],
      ['\ufeff', '\r\n'],
    ] as const) {
      const written = (text: string) => start + text.replaceAll('\n', end)
      const done = fixed(written(from), code)
      expect(done?.text).toBe(written(to))
      expect(done?.title).toMatch(title)
      expect(codesOf(written(to))).not.toContain(code)
    }
  })

  it.each([
    ['merge-conflict', front('name: pdf', '<<<<<<< HEAD', 'description: d')],
    ['description-long', front('name: pdf', 'description: d')],
    ['name-missing', '---\n{ [\n---\n'],
  ])('is none where a person has to decide: %s', (code, text) => {
    expect(fixed(text, code)).toBeNull()
  })

  it('of a description that is missing says what of it a person has to write', () => {
    const text = front('name: pdf')
    const problem = problemsOf(text).find(({ code }) => code === 'description-missing')!
    const fix = fixEdits(text, { ...problem, folderName })!
    const { start, end } = fix.select!
    expect(applyEdits(text, fix.edits).slice(start, end)).toMatch(/^TODO what this skill does/)
  })

  it('of a field that can not be read leaves no comment that is taken for a field behind "#"', () => {
    const text = front('a:', '  name:', '    - pdf', '- x', 'argument-hint: [a] [b]')
    const done = fixed(text, 'field-left-out')!
    expect(done.text).toContain('\n# left out:   name:\n#     - pdf\n')
    expect(problemsOf(done.text).map(({ code }) => code)).toEqual(['name-missing', 'description-missing'])
  })

  it('of a field that stands twice never changes the value that is used', () => {
    const text = front('name: pdf', 'description: d', 'allowed-tools: Bash', 'allowed-tools: Read')
    const done = fixed(text, 'duplicate-key')!
    expect(parseSkillMd(done.text, { folderName }).allowedTools).toEqual(['Read'])
    const inAnother = front('name: pdf', 'description: d', 'metadata: {a: 1,', '  tags: 1}', 'tags: x')
    expect(fixed(inAnother, 'duplicate-key', '"tags" stands here again')).toBeNull()
  })

  it('of hidden text deletes it, and leaves the flags that are spelt with the same characters', () => {
    const flag = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'
    const text = front('name: pdf', 'description: d') + `${flag} a\u{E0061}\u{E0062}b\u202Ec${flag}\n`
    expect(fixed(text, 'tag-characters')!.text).toBe(text.replace('\u{E0061}\u{E0062}', ''))
    expect(fixed(text, 'bidi-characters')!.text).toBe(text.replace('\u202E', ''))
  })

  it('is none for another file than SKILL.md', () => {
    const text = front('description: d')
    expect(fixEdits(text, { code: 'name-missing', message: '', file: 'a.md', folderName })).toBeNull()
  })

  it('changes only what differs, in characters and in bytes', () => {
    const text = front('description: "é😀"', "name: 'é 😀'")
    const fix = fixEdits(text, { code: 'name-differs-from-folder', message: '', folderName })!
    expect(fix.edits).toHaveLength(1)
    const [edit] = fix.edits
    expect(text.slice(edit!.start, edit!.end)).toBe('é 😀')
    const bytes = Buffer.from(text)
    const [inUtf8] = inBytes(text, fix.edits)
    const made = Buffer.concat([
      bytes.subarray(0, inUtf8!.start),
      Buffer.from(inUtf8!.text),
      bytes.subarray(inUtf8!.end),
    ])
    expect(made.toString()).toBe(applyEdits(text, fix.edits))
  })
})

describe('whatever the file', () => {
  const file = fc
    .tuple(fc.oneof(slippedFrontmatter, damaged(REAL)), fc.constantFrom('', '\ufeff'), fc.boolean())
    .map(([yaml, mark, windows]) => {
      const text = `---\n${yaml}\n---\n\nBody: é 😀\n`
      return mark + (windows ? text.replace(/\r?\n/g, '\r\n') : text)
    })

  it('each fix leaves every byte outside of its edits, ends its problem, and brings no error', () => {
    let fixes = 0
    fc.assert(
      fc.property(file, fc.constantFrom('pdf', 'a-b', 'Größe'), (text, folder) => {
        const before = parseSkillMd(text, { folderName: folder })
        for (const problem of before.diagnostics) {
          const fix = fixEdits(text, { ...problem, folderName: folder })
          if (!fix) continue
          fixes += 1
          let kept = 0
          const outside = fix.edits.map(({ start, end }) => {
            expect(start).toBeGreaterThanOrEqual(kept)
            const part = text.slice(kept, start)
            kept = end
            return part
          })
          const done = applyEdits(text, fix.edits)
          let at = 0
          for (const [index, part] of [...outside, text.slice(kept)].entries()) {
            expect(done.slice(at, at + part.length)).toBe(part)
            at += part.length + (fix.edits[index]?.text.length ?? 0)
          }
          expect(at).toBe(done.length)
          const after = parseSkillMd(done, { folderName: folder })
          const count = ({ diagnostics }: typeof after) =>
            diagnostics.filter(({ code }) => code === problem.code).length
          expect(count(after)).toBeLessThan(count(before))
          const errors = ({ diagnostics }: typeof after) =>
            diagnostics.filter((one) => one.severity === 'error')
          expect(errors(after).length).toBeLessThanOrEqual(errors(before).length)
          if (done.startsWith('\ufeff') !== text.startsWith('\ufeff'))
            throw new Error('the mark at the start')
        }
      }),
      { numRuns: tries(400) },
    )
    expect(fixes).toBeGreaterThan(20)
  })
})
