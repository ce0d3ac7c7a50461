import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeLines } from '../../../../src/renderer/ui/code-lines'

const text = (lines: ReturnType<typeof codeLines>): string =>
  lines.map((l) => l.map((t) => t.text).join('')).join('\n')

describe('codeLines', () => {
  it('colours by the ending of the name', () => {
    const [line] = codeLines('def fill(): return "x"  # note\n', 'a.py')
    expect(line?.find((token) => token.text === 'def')?.kind).toBe('k')
    expect(line?.find((token) => token.text === '"x"')?.kind).toBe('str')
    expect(line?.find((token) => token.text === '# note')?.kind).toBe('cm')
  })

  it('colours by the first line where the name has no ending', () => {
    expect(codeLines('#!/usr/bin/env python3\nimport os\n', 'tool')[1]?.[0]?.kind).toBe('k')
  })

  it('keeps a string over several lines coloured', () => {
    const lines = codeLines('x = """a\nb\n"""\n', 'a.py')
    expect(lines[1]).toEqual([{ text: 'b', kind: 'str' }])
  })

  it('leaves unknown kinds and very long lines plain', () => {
    expect(codeLines('def x', 'a.xyz')).toEqual([[{ text: 'def x', kind: '' }]])
    expect(codeLines(`def ${'x'.repeat(5000)}`, 'a.py')[0]).toHaveLength(1)
  })

  it('never changes, adds or drops a character', () => {
    const piece = fc.constantFrom(
      'def ',
      '"',
      "'",
      '#',
      '\n',
      '`',
      '${',
      '}',
      '<b>',
      '&amp;',
      '\t',
      '\u202e',
      'é',
      '😀',
      '/*',
      '*/',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 25 }),
        fc.constantFrom('a.py', 'a.sh', 'a.js', 'a.md', 'a.rb'),
        (pieces, path) => {
          const source = `${pieces.join('')}x`
          expect(text(codeLines(source, path))).toBe(source)
        },
      ),
    )
  })
})
