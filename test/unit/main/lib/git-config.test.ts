import { array, assert, constantFrom, oneof, property, string, stringMatching } from 'fast-check'
import { expect, test } from 'vitest'
import { readGitConfig } from '../../../../src/main/lib/git-config'

test.each([
  ['[core]\n\thooksPath = githooks\n', 'core.hookspath', 'githooks'],
  ['[CORE]HooksPath="a b" ; why\n', 'core.hookspath', 'a b'],
  ['[filter "x"]\r\n  clean = ./c.sh \\\r\n  %f\r\n', 'filter.clean', './c.sh   %f'],
  ['[includeIf "gitdir:~/x]/"]\npath = ../conf\n', 'includeif.path', '../conf'],
  ['[filter.x]\nsmudge = a # b', 'filter.smudge', 'a'],
  ['\uFEFF[alias]\nco = "!sh -c \\"./x\\""', 'alias.co', '!sh -c "./x"'],
  ['nonsense ]]\n[core\n = \n[core]\nfsmonitor = "./f', 'core.fsmonitor', './f'],
  ['[core]\n# a \\\nhooksPath = tools\n', 'core.hookspath', 'tools'],
  ['[core]\nfsmonitor\n', 'core.fsmonitor', ''],
])('reads %j', (text, key, value) => {
  expect(readGitConfig(text)).toContainEqual({ key, value })
})

const PIECES = [
  '[core]',
  '[a "b',
  '\\',
  '\\\n',
  '"',
  '\n',
  '=',
  'hooksPath',
  ' = ',
  '#',
  ';',
  'x',
  '\u0000',
  ']',
]

test('whatever the text is, it reads it to its end and gives no more than its lines', () => {
  const text = oneof(
    string(),
    array(constantFrom(...PIECES)).map((parts) => parts.join('')),
  )
  assert(
    property(text, (config) => {
      expect(readGitConfig(config).length).toBeLessThanOrEqual(2 * config.split(/\r\n?|\n/).length)
    }),
  )
})

test('a setting is found whatever stands in the lines around it', () => {
  const line = stringMatching(/^[^\n\r[\\]*$/)
  assert(
    property(line, line, (before, after) => {
      const found = readGitConfig(`${before}\n[core]\nhooksPath = hooks\n${after}\n`)
      expect(found).toContainEqual({ key: 'core.hookspath', value: 'hooks' })
    }),
  )
})

test('a very long text is read in its beginning, at once', () => {
  const long = `[core]\nhooksPath = a\n${'\\'.repeat(2_000_000)}\n`
  expect(readGitConfig(long)).toContainEqual({ key: 'core.hookspath', value: 'a' })
  expect(readGitConfig('[a]\nb = c\n'.repeat(100_000)).length).toBe(5000)
})
