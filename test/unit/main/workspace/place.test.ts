import { linkSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isInside } from '../../../../src/main/lib/contain'
import { locate, locateForWriting } from '../../../../src/main/workspace/place'
import { codeOf, ground, type Ground } from './ground'

let place: Ground
beforeEach(() => {
  place = ground({ 'notes/today.md': 'x', 'a.txt': 'a' })
})
afterEach(() => place.remove())

describe('locate', () => {
  test.each([
    ['notes/today.md', 'notes/today.md', true],
    ['./notes//today.md', 'notes/today.md', true],
    ['new/deep/file.txt', 'new/deep/file.txt', false],
    ['.', '.', true],
  ])('%j is %j', async (asked, path, exists) => {
    expect(await locate(place.workspace, asked)).toMatchObject({ path, exists })
  })

  test('an absolute path inside the workspace is the same as a relative one', async () => {
    const found = await locate(place.workspace, join(place.root, 'a.txt'))
    expect(found.path).toBe('a.txt')
  })

  test.each([
    ['..'],
    ['../ws-evil/secret.txt'],
    ['notes/../../ws-evil/secret.txt'],
    ['notes/../a.txt'],
    ['~/x'],
    ['/etc/passwd'],
    ['..\\x'],
    ['a\0.txt'],
    ['a\nb'],
    [''],
    ['x/'.repeat(3000)],
    ['n'.repeat(300)],
  ])('refuses %j', async (asked) => {
    expect(await codeOf(() => locate(place.workspace, asked))).toBe('path_escape')
  })

  test('refuses the neighbour whose name begins like the workspace', async () => {
    expect(await codeOf(() => locate(place.workspace, `${place.root}-evil/secret.txt`))).toBe('path_escape')
  })

  test("refuses the app's own data, also where the workspace holds it", async () => {
    expect(await codeOf(() => locate(place.workspace, 'app-data/satchel.db'))).toBe('path_escape')
  })

  test('a workspace that lies in the own data is seen nevertheless', async () => {
    const own = { root: join(place.root, 'notes'), hidden: [place.root] }
    expect(await locate(own, 'today.md')).toMatchObject({ path: 'today.md', exists: true })
  })

  test('follows a link that stays inside, and names what it leads to', async () => {
    symlinkSync('notes', join(place.root, 'link'))
    expect(await locate(place.workspace, 'link/today.md')).toMatchObject({ path: 'notes/today.md' })
  })

  test.each([
    ['a file outside', () => join(place.outside, 'secret.txt'), 'link'],
    ['a folder outside', () => place.outside, 'link/secret.txt'],
    ['a new file in a folder outside', () => place.outside, 'link/new.txt'],
    ['nowhere', () => join(place.outside, 'none'), 'link'],
    ['itself', () => 'link', 'link'],
  ])('refuses a link to %s', async (_, target, asked) => {
    symlinkSync(target(), join(place.root, 'link'))
    expect(await codeOf(() => locate(place.workspace, asked))).toBe('path_escape')
  })

  test('whatever a path is made of, what is found lies inside and is no link', async () => {
    symlinkSync(place.outside, join(place.root, 'out'))
    symlinkSync('notes', join(place.root, 'in'))
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'out',
      'in',
      'notes',
      'a.txt',
      'secret.txt',
      '~',
      '%2e%2e',
      '…',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 6 }),
        fc.constantFrom('', '/', place.root + '/'),
        async (parts, start) => {
          const asked = start + parts.join('/')
          const found = await locate(place.workspace, asked).catch(() => null)
          if (!found) return
          const real = join(place.root, ...found.segments)
          expect(isInside(place.root, real)).toBe(true)
          expect(found.segments).not.toContain('..')
          expect(['out', 'in']).not.toContain(found.segments[0])
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('locateForWriting', () => {
  test.each([
    '.git/hooks/pre-commit',
    '.git/HEAD',
    '.GIT/Hooks/x',
    'sub/.git/config',
    '.vscode/settings.json',
    '.mcp.json',
    '.envrc',
    '.bashrc',
    '.claude/settings.json',
    '.satchel/skills/x/SKILL.md',
    '.git./config',
    '.git /config',
    '.git::$INDEX_ALLOCATION/config',
    '.g\u200cit/config',
    'GIT~1/config',
    '.ｇｉｔ/config',
  ])('refuses %j, whether it exists or not', async (asked) => {
    expect(await codeOf(() => locateForWriting(place.workspace, asked))).toBe('path_escape')
  })

  test('refuses a protected path behind a link, and a link to one', async () => {
    mkdirSync(join(place.root, '.vscode'))
    symlinkSync('.vscode', join(place.root, 'settings'))
    expect(await codeOf(() => locateForWriting(place.workspace, 'settings/x.json'))).toBe('path_escape')
    symlinkSync('notes', join(place.root, '.idea'))
    expect(await codeOf(() => locateForWriting(place.workspace, '.idea/x.xml'))).toBe('path_escape')
  })

  test('lets ordinary files with dots through', async () => {
    for (const asked of ['.gitignore', '.github/workflows/x.yml', '.env.example', 'a.git/x']) {
      expect(await codeOf(() => locateForWriting(place.workspace, asked))).toBe('none')
    }
  })

  test('refuses the folder of the project itself', async () => {
    expect(await codeOf(() => locateForWriting(place.workspace, '.'))).toBe('bad_input')
  })

  test('a hard link is a file like any other here: what is read and written says more', async () => {
    linkSync(join(place.outside, 'secret.txt'), join(place.root, 'hard.txt'))
    expect(await codeOf(() => locateForWriting(place.workspace, 'hard.txt'))).toBe('none')
  })
})
