import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forbiddenBy } from '../../../../../src/main/sessions/gate/gate'
import { coversFile } from '../../../../../src/main/sessions/gate/path-pattern'

const file = (path: string) => ({ path, isFolder: false })
const folder = (path: string) => ({ path, isFolder: true })

describe('coversFile', () => {
  test.each([
    ['src/**', 'src/a.ts', true],
    ['./src/**', 'src/deep/a.ts', true],
    ['src/', 'src/deep/a.ts', true],
    ['src', 'src/a.ts', false],
    ['*.md', 'a.md', true],
    ['*.md', 'docs/a.md', false],
    ['**/*.md', 'docs/a.md', true],
    ['{src,test}/**', 'test/a', true],
    ['src/**', 'srcs/a', false],
    ['/src/**', 'src/a', false],
    ['~/src/**', 'src/a', false],
    ['//src/**', 'src/a', false],
    ['../**', 'src/a', false],
    ['', 'a', false],
    ['.sandbox/skills/**', '/.sandbox/skills/jam/a', false],
    ['/.sandbox/skills/**', '.sandbox/skills/jam/a', false],
    ['${CLAUDE_SKILL_DIR}/a', '/.sandbox/skills/jam/a', true],
    ['${SKILL_DIR}/**', '/.sandbox/skills/other/a', false],
    [`{${'a,'.repeat(70)}b}`, 'a', false],
    ['x'.repeat(600), 'x'.repeat(600), false],
  ])('%s covers %s: %s', (pattern, path, expected) => {
    expect(coversFile(pattern, 'jam', file(path))).toBe(expected)
  })

  test.each([
    ['**', '.', true],
    ['src/**', '.', false],
    ['src/**', 'src', true],
    ['src/*', 'src/deep', false],
    ['src/**/*.ts', 'src/deep', false],
  ])('%s covers the folder %s: %s', (pattern, path, expected) => {
    expect(coversFile(pattern, 'jam', folder(path))).toBe(expected)
  })

  test('of a skill’s folder nothing outside of it', () => {
    const part = constantFrom('a', 'b', '.', '**', '*', 'src')
    const path = array(constantFrom('a', 'b', 'src'), { minLength: 1 }).map((parts) => parts.join('/'))
    assert(
      property(array(part), path, (parts, other) => {
        expect(coversFile(['{baseDir}', ...parts].join('/'), 'jam', file(other))).toBe(false)
      }),
    )
  })
})

test('a pattern never allows more than the tool alone, nor where the file is not known', () => {
  const restricted = (token: string) => [{ skill: 'jam', allowedTools: [token] }]
  for (const tool of ['Write', 'Edit', 'Grep', 'Bash', 'skills_run_script']) {
    expect(forbiddenBy(restricted('Read(**)'), { tool, file: file('a'), text: 'cat a' })).toBe('jam')
  }
  expect(forbiddenBy(restricted('Read(**)'), { tool: 'Read' })).toBe('jam')
  expect(forbiddenBy(restricted('Read(*)'), { tool: 'Read' })).toBeNull()
})
