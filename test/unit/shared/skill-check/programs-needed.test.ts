import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { programsNeeded } from '@shared/skill-check/programs-needed'

it.each<[string, string[][]]>([
  ['Requires git, docker or podman, jq', [['git'], ['docker', 'podman'], ['jq']]],
  ['Requires git, docker, or podman', [['git'], ['docker', 'podman']]],
  ['Requires foo-bar-cli', [['foo-bar-cli', 'foo-bar']]],
  ['Requires aws-cli and redis-cli', [['aws'], ['redis-cli']]],
  ['requires the `foo` command', [['foo']]],
  ['Requires the "foo" command', [['foo']]],
  ['Needs `foo` or `bar`, and git', [['foo', 'bar'], ['git']]],
  ['Requires: `foo`, `bar`', [['foo'], ['bar']]],
  ['Requires git 2.40+ and `lazygit`', [['git'], ['lazygit']]],
  ['Prerequisites: the `foo` and `bar` binaries.', [['foo'], ['bar']]],
  ['`foo` must be installed', [['foo']]],
  ['Works best with `foo` on the PATH, which is required', [['foo']]],
])('%s needs %j', (text, groups) => {
  expect(programsNeeded(text)).toEqual(groups)
})

it.each([
  'Designed for other clients; needs internet access',
  'Works with `foo`',
  'needs to run in `plan` mode',
  'Requires the `main` branch',
  'Requires the `foo` MCP server',
  'Requires the `web_search` tool',
  'Requires `read` and `write` tools',
  'Needs the `foo` package',
  'Needs the `foo` and `bar` libraries',
  'Requires `SKILL.md` and `notes.txt`',
  'Requires an account at foo-cli.com',
  'Requires @acme/foo-cli',
  'Requires the right command',
  'No `foo` needed',
  '`foo` is optional, nothing else is required',
  "It needs the person's consent, and 'foo' is only a word",
])('%s needs no program', (text) => {
  expect(programsNeeded(text)).toEqual([])
})

it('takes names in code for libraries where a sentence speaks of a language', () => {
  expect(programsNeeded('Requires Python 3.10+, `pandas` and `openpyxl`')).toEqual([['python3', 'python']])
})

it('ends soon, whatever the text is', () => {
  const piece = fc.constantFrom(
    'requires ',
    '`a`',
    '`',
    '"',
    'a-',
    '-cli',
    '1',
    '+',
    '.',
    ' ',
    'or ',
    ',',
    '(',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 2000 }), (parts) => {
      const started = performance.now()
      programsNeeded(`requires ${parts.join('')}`)
      expect(performance.now() - started).toBeLessThan(500)
    }),
    { numRuns: 50 },
  )
})
