import { expect, test } from 'vitest'
import { treeRows } from '../../../../../src/renderer/editor/files/tree-rows'

const file = (path: string, isScript = false) => ({ path, size: 1, isScript })
const FILES = [
  file('LICENSE.txt'),
  file('SKILL.md'),
  file('docs/a.md'),
  file('docs/deep/b.md'),
  file('s/run.sh', true),
]
const FOLDERS = ['docs', 'docs/deep', 'empty', 's']

const drawn = (closed: string[] = []) =>
  treeRows(FILES, FOLDERS, new Set(closed)).map(({ name, level }) => `${'  '.repeat(level - 1)}${name}`)

test('SKILL.md stands first, folders before files, empty ones too', () => {
  expect(drawn()).toEqual([
    'SKILL.md',
    'docs',
    '  deep',
    '    b.md',
    '  a.md',
    'empty',
    's',
    '  run.sh',
    'LICENSE.txt',
  ])
})

test('a closed folder hides all that is in it', () => {
  expect(drawn(['docs'])).toEqual(['SKILL.md', 'docs', 'empty', 's', '  run.sh', 'LICENSE.txt'])
})
