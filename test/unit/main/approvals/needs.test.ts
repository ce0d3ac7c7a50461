import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { declaredNeeds } from '../../../../src/main/approvals/needs'

const needs = (scriptPath: string, scriptText: string, files: Record<string, string> = {}) =>
  declaredNeeds({
    scriptPath,
    scriptText,
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
  })

const PEP = `#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "requests[socks]<3",  # for "pages"
#   'rich',
#   "odd @ https://x.test/odd.zip",
# ]
# ///
import requests
`

describe('what a script says that it needs', () => {
  test('stands in its own block', () => {
    expect(needs('scripts/x.py', PEP, { 'requirements.txt': 'numpy' })).toEqual({
      kind: 'python',
      source: 'the script',
      file: null,
      packages: ['requests', 'rich', 'odd'],
      specs: ['requests[socks]<3', 'rich', 'odd @ https://x.test/odd.zip'],
      byHand: expect.stringContaining('odd @ https') as string,
    })
  })

  test('or in the nearest requirements.txt of its skill, without options, comments and addresses', () => {
    const file =
      '# tools\nnumpy>=2\nPillow ; python_version < "4"\n-r more.txt\nhttps://x.test/a.zip\nnumpy\n'
    expect(
      needs('scripts/x.py', 'import numpy', {
        'requirements.txt': 'other',
        'scripts/requirements.txt': file,
      }),
    ).toMatchObject({
      source: 'scripts/requirements.txt',
      file: 'scripts/requirements.txt',
      packages: ['numpy', 'Pillow'],
      byHand: expect.stringContaining('-r more.txt') as string,
    })
  })

  test('or in package.json for JavaScript and TypeScript', () => {
    const file = JSON.stringify({
      dependencies: { pdfkit: '^1', '@a/b': '2' },
      devDependencies: { vitest: '1' },
    })
    expect(needs('x.ts', '', { 'package.json': file })?.packages).toEqual(['pdfkit', '@a/b'])
    expect(needs('x.mjs', '', { 'package.json': 'no JSON' })?.packages).toEqual([])
  })

  test.each([
    ['a shell script', 'x.sh', '#!/bin/sh\n'],
    ['one without a word of it', 'x.py', 'print(1)'],
    ['a block that is never closed', 'x.py', '# /// script\n# dependencies = ["a"]\nimport a\n'],
  ])('%s says nothing', (_what, path, text) => {
    expect(needs(path, text)).toBeNull()
  })

  test('whatever stands there is read at once and gives names alone', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2000 }), (text) => {
        const found = needs(
          'x.py',
          `# /// script\n# dependencies = [${text.replace(/[\r\n]/g, '')}]\n# ///\n`,
        )
        for (const name of found?.packages ?? []) expect(name).toMatch(/^[\w.-]+$/)
      }),
    )
  })

  test.each([
    'numpy',
    'numpy>=2,<3',
    'requests [socks] == 2.*',
    "Pillow ; python_version < '4' and sys_platform == 'linux'",
    'a==1 --hash=sha256:0123abc --hash=sha256:4567def',
    'a==1 \\\n    --hash=sha256:0123abc  # pinned',
  ])('%j is what a registry can answer', (line) => {
    expect(needs('x.py', '', { 'requirements.txt': line })).toMatchObject({ byHand: null })
  })

  test.each([
    '-r other.txt',
    '--index-url https://x.test/simple',
    '-e .',
    './wheels/a.whl',
    'a @ file:///x',
    'https://x.test/a.zip',
    'a$HOME',
    'a; import os`id`',
    'a'.repeat(600),
  ])('%j is more than that, and left to the person', (line) => {
    expect(needs('x.py', '', { 'requirements.txt': `numpy\n${line}\n` })?.byHand).toBeTruthy()
  })

  test.each([
    ['^1.2', null],
    ['>=1 <3 || 4.x', null],
    ['latest', null],
    ['file:../x', 'x'],
    ['git+ssh://x.test/a', 'x'],
    ['npm:other@1', 'x'],
    ['user/repo', 'x'],
  ])('the version %j of a package for Node: by hand %j', (range, byHand) => {
    const file = JSON.stringify({ dependencies: { a: range } })
    expect(needs('x.js', '', { 'package.json': file })?.byHand === null).toBe(byHand === null)
  })
})
