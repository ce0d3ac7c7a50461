import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSkillMd } from '@shared/skill-md'
import { repairedText } from '@shared/skill-md/repaired-text'
import { damaged, frontmatter, REAL, slippedFrontmatter } from './frontmatters'
import { tries } from '../../../helpers/sample'

const parse = (text: string) => parseSkillMd(text, { folderName: 'pdf' })
const front = (...fields: string[]) => ['---', ...fields, '---', '', 'Body', ''].join('\n')

describe('the file with its repairs written out', () => {
  const cases: [what: string, from: string, to: string, change: RegExp][] = [
    [
      'an unquoted ": "',
      front('name: pdf', 'description: Use when: asked', 'license: MIT # ours'),
      front('name: pdf', 'description: "Use when: asked"', 'license: MIT # ours'),
      /^Put "description" in quotes\.$/,
    ],
    [
      'one that goes on on the next line',
      front('name: pdf', 'description: Reads.', '  Use when: asked', 'license: MIT'),
      front('name: pdf', 'description: "Reads. Use when: asked"', 'license: MIT'),
      /quotes/,
    ],
    [
      'junk behind a list',
      front('name: pdf', 'description: d', 'argument-hint: [a] [b]'),
      front('name: pdf', 'description: d', 'argument-hint: "[a] [b]"'),
      /"argument-hint"/,
    ],
    [
      'a field that can not be read, kept as a comment',
      front('name: pdf', 'metadata: {"a": {', '', '  "b": 1}', 'description: d'),
      front('name: pdf', '# metadata: {"a": {', '', '#   "b": 1}', 'description: d'),
      /^Turned "metadata" into a comment/,
    ],
    [
      'a description below its key',
      front('name: pdf', 'description:', '  Use when: asked', 'license: MIT'),
      front('name: pdf', 'description: "Use when: asked"', 'license: MIT'),
      /^Put "description" in quotes\.$/,
    ],
    [
      'a name behind "##"',
      front('## name: pdf', 'description: d'),
      front('name: pdf', 'description: d'),
      /"#" signs/,
    ],
    [
      'an escaped field name and its value, nothing else',
      front('name: pdf', 'description: a\\_b', 'allowed\\_tools: my\\_tool'),
      front('name: pdf', 'description: a\\_b', 'allowed_tools: my_tool'),
      /backslashes/,
    ],
    [
      'a line that ends the fields early',
      front('name: pdf', 'description: d', '...', 'license: MIT'),
      front('name: pdf', 'description: d', '', 'license: MIT'),
      /ended the fields early/,
    ],
    [
      'a missing closing fence',
      '---\nname: pdf\ndescription: d\n# Title\n',
      '---\nname: pdf\ndescription: d\n---\n# Title\n',
      /before line 4\.$/,
    ],
    [
      'a missing closing fence at the end of the file',
      '---\nname: pdf\ndescription: d',
      '---\nname: pdf\ndescription: d\n---\n',
      /before line 4\.$/,
    ],
    [
      'a blank line before the fence',
      `\n${front('name: pdf', 'description: d')}`,
      front('name: pdf', 'description: d'),
      /blank line/,
    ],
    [
      'an indented fence',
      '---\nname: pdf\ndescription: d\n  ---\nBody',
      '---\nname: pdf\ndescription: d\n---\nBody',
      /start of their lines/,
    ],
    [
      'control characters',
      front('name: pdf', 'description: a\u0007b'),
      front('name: pdf', 'description: ab'),
      /control/,
    ],
    [
      'fields as headings',
      front('## name: pdf', '# description: d'),
      front('name: pdf', 'description: d'),
      /"#"/,
    ],
    [
      'escapes of Markdown',
      front('name: pdf', 'description: "a \\[b\\]"'),
      front('name: pdf', 'description: "a [b]"'),
      /backslashes/,
    ],
  ]
  it.each(cases)('%s', (_what, from, to, change) => {
    expect(repairedText(from)).toEqual({ text: to, changes: [expect.stringMatching(change)] })
    const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`
    expect(repairedText(windows(from))?.text).toBe(windows(to))
    expect(parse(to)).toMatchObject({ name: 'pdf', broken: false })
  })

  it.each([
    ['a file without a slip', front('name: pdf', 'description: d')],
    ['a merge conflict', front('name: pdf', '<<<<<<< HEAD', 'description: a', '=======')],
    ['no frontmatter', '# Title\n'],
    ['what no repair can read', front('name: [', ']: {', 'x')],
    ['an empty file', ''],
  ])('is not offered for %s', (_what, text) => {
    expect(repairedText(text)).toBeNull()
  })

  it('reads as the repaired file did, without any repair, for every text', () => {
    let repaired = 0
    const yaml = fc.oneof(slippedFrontmatter, damaged(REAL), frontmatter)
    fc.assert(
      fc.property(yaml, fc.constantFrom('\n', '\r\n'), fc.boolean(), (fields, eol, blank) => {
        const text = `${blank ? '\n' : ''}---\n${fields}\n---\nBody\n`.replaceAll('\n', eol)
        const result = repairedText(text)
        if (!result) return
        repaired += 1
        const [before, after] = [parse(text), parse(result.text)]
        const names = after.diagnostics.map(({ code }) => code)
        for (const code of ['yaml-repaired', 'field-left-out', 'blank-before-frontmatter', 'yaml-invalid']) {
          expect(names).not.toContain(code)
        }
        if (!before.broken) expect(after.frontmatter).toEqual(before.frontmatter)
        expect(after.body).toBe(before.body)
        expect(repairedText(result.text)).toBeNull()
      }),
      { numRuns: tries(800) },
    )
    expect(repaired).toBeGreaterThan(tries(800) / 4)
  })
})
