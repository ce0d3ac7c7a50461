import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { protectedTwins } from '../../../../src/main/runs/sandbox/twins'

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'twins-'))
  mkdirSync(join(project, '.git'))
  writeFileSync(join(project, '.git/config'), '')
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

test('every other name of a protected file is found, but those that are protected themselves', () => {
  for (const name of ['a', '.git/b']) linkSync(join(project, '.git/config'), join(project, name))
  expect(protectedTwins(project)).toEqual(['a'])
})

test('other names of protected files below the root are found too', () => {
  mkdirSync(join(project, 'sub/.git'), { recursive: true })
  writeFileSync(join(project, 'sub/.git/config'), '')
  linkSync(join(project, 'sub/.git/config'), join(project, 'alias'))
  expect(protectedTwins(project, ['sub/.git'])).toEqual(['alias'])
})

test('objects of git, which have more names in every local clone, are not counted', () => {
  mkdirSync(join(project, '.git/objects/aa'), { recursive: true })
  writeFileSync(join(project, '.git/objects/aa/bb'), '')
  linkSync(join(project, '.git/objects/aa/bb'), join(project, 'copy'))
  expect(protectedTwins(project)).toEqual([])
})

test('names outside of the project are not looked for, and keep nothing from running', () => {
  const outside = mkdtempSync(join(tmpdir(), 'twins-'))
  try {
    linkSync(join(project, '.git/config'), join(outside, 'backup'))
    expect(protectedTwins(project)).toEqual([])
  } finally {
    rmSync(outside, { recursive: true })
  }
})

test('a protected path that is a link is not followed', () => {
  const file = join(project, 'file')
  writeFileSync(file, '')
  linkSync(file, join(project, 'other'))
  symlinkSync(project, join(project, '.vscode'))
  expect(protectedTwins(project)).toEqual([])
})

test('in a project that is too large to find them all nothing runs', () => {
  linkSync(join(project, '.git/config'), join(project, '.git/zz'))
  for (let at = 0; at < 250; at += 1) {
    mkdirSync(join(project, `.vscode/${at}`), { recursive: true })
    linkSync(join(project, '.git/config'), join(project, `l${at}`))
  }
  expect(() => protectedTwins(project)).toThrow(/is a hard link/)
})

/** Files that have 250 other names in the project. */
function shared(path: string) {
  mkdirSync(join(project, path, '..'), { recursive: true })
  writeFileSync(join(project, path), '{}')
  mkdirSync(join(project, 'store'))
  for (let at = 0; at < 250; at += 1) linkSync(join(project, path), join(project, `store/${at}`))
}

test.each(['node_modules/.pnpm/a@1/node_modules/a/.vscode', '.venv/lib/python3.12/site-packages/a/.vscode'])(
  'what package managers share with their store keeps nothing from running: %s',
  (folder) => {
    shared(`${folder}/settings.json`)
    expect(protectedTwins(project, [folder])).toEqual([])
  },
)

test('checkouts that agents keep among their settings are not looked through', () => {
  shared('.claude/worktrees/one/.venv/lib/a.py')
  expect(protectedTwins(project)).toEqual([])
})

test('worktrees of git are', () => {
  mkdirSync(join(project, '.git/worktrees/one'), { recursive: true })
  writeFileSync(join(project, '.git/worktrees/one/config.worktree'), '')
  linkSync(join(project, '.git/worktrees/one/config.worktree'), join(project, 'alias'))
  expect(protectedTwins(project)).toEqual(['alias'])
})
