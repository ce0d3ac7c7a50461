import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAllowedTools } from '@shared/allowed-tools'

describe('the tokens of allowed-tools', () => {
  it.each<[unknown, string[]]>([
    ['Bash(jq:*) Bash(git:*) Read', ['Bash(jq:*)', 'Bash(git:*)', 'Read']],
    ['Read, Write,Grep', ['Read', 'Write', 'Grep']],
    ['Bash(git add *), Read', ['Bash(git add *)', 'Read']],
    ['Agent(a, b) Read', ['Agent(a, b)', 'Read']],
    [
      ['Read', 'Bash(a (b), c)'],
      ['Read', 'Bash(a (b), c)'],
    ],
    [
      ['Read, Glob', ' Edit '],
      ['Read', 'Glob', 'Edit'],
    ],
    ['Read Read', ['Read']],
    ['Read\n  Write\t', ['Read', 'Write']],
    ['Bash(git', ['Bash(git']],
    ['Bash(git add', ['Bash(git add']],
    ['a) b', ['a)', 'b']],
    ['', []],
    [[], []],
    [[1, null, 'Read'], ['Read']],
    [undefined, []],
    [null, []],
    [7, []],
    [{ Read: true }, []],
  ])('%j', (value, want) => {
    expect(parseAllowedTools(value)).toEqual(want)
  })

  const token = fc.oneof(
    fc.constantFrom('Read', 'Bash', 'mcp__a__b'),
    fc
      .tuple(fc.constantFrom('Bash', 'Agent'), fc.constantFrom('git add *', 'a, b', 'x (y) z', ''))
      .map(([a, b]) => `${a}(${b})`),
  )
  it('are the same however they are separated', () => {
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 8 }),
        fc.constantFrom(' ', ',', ', ', '\n', ' , '),
        (tokens, separator) => {
          const want = [...new Set(tokens)]
          expect(parseAllowedTools(tokens.join(separator))).toEqual(want)
          expect(parseAllowedTools(tokens)).toEqual(want)
        },
      ),
    )
  })
  it('are never empty and hold no separator outside parentheses, for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const item of parseAllowedTools(text)) {
          expect(item.trim()).toBe(item)
          expect(item).not.toBe('')
          expect(item.replace(/\(.*/s, '')).not.toMatch(/[\s,]/)
        }
      }),
    )
  })
})
