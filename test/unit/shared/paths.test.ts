import { posix } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '@shared/errors'
import { containRelative } from '@shared/paths'

describe('a path inside a skill', () => {
  it.each([
    ['scripts/run.py', 'scripts/run.py'],
    ['./scripts//run.py', 'scripts/run.py'],
    ['a/./b', 'a/b'],
    ['references/', 'references'],
    ['.env', '.env'],
    ['a..b/c', 'a..b/c'],
    ['100%.md', '100%.md'],
    ['файл.md', 'файл.md'],
    ['a/~b', 'a/~b'],
  ])('%s is %s', (path, want) => {
    expect(containRelative(path)).toBe(want)
  })

  it.each([
    '',
    '.',
    './',
    '/',
    '/etc/passwd',
    '//server/share',
    '~',
    '~/x',
    '~root/x',
    './~/x',
    '..',
    '../../x',
    'a/./../..',
    'a/../b',
    'a/..',
    '..\\x',
    'a\\b',
    '%2e%2e/x',
    '%2E./x',
    'a%2fb',
    'a%5Cb',
    'a%00',
    'a\u0000b',
    'a\nb',
    'C:/x',
    'c:x',
    'SKILL.md::$DATA',
    'a:stream',
    'a./b',
    'a /b',
    'x.',
    '...',
    `${'a/'.repeat(3000)}b`,
  ])('%j is refused', (path) => {
    expect(() => containRelative(path)).toThrowError(
      expect.objectContaining({ code: 'path_escape' }) as AppError,
    )
  })

  it('says why, and an example of what to give instead', () => {
    expect(() => containRelative('../x')).toThrowError(
      'The path "../x" is refused: it holds "..". Give a path relative to the skill, such as "references/guide.md".',
    )
  })

  it('for any text: refused, or inside, normalised and stable', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '', '~', 'a', 'b.md', '%2e', '\\', 'C:', ' '),
      fc.string({ maxLength: 6 }),
    )
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }).map((parts) => parts.join('/')),
        (path) => {
          const result = attempt(path)
          if (result === null) return
          expect(posix.normalize(result)).toBe(result)
          expect(posix.resolve('/skill', result).startsWith('/skill/')).toBe(true)
          expect(containRelative(result)).toBe(result)
          expect(
            decodeURIComponent(
              result.replace(/%(?![0-9a-f]{2})/gi, '%25').replace(/%[89a-f][0-9a-f]/gi, 'x'),
            ).split('/'),
          ).not.toContain('..')
        },
      ),
      { numRuns: 2000 },
    )
  })
})

function attempt(path: string): string | null {
  try {
    return containRelative(path)
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    return null
  }
}
