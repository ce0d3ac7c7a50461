import { describe, expect, test } from 'vitest'
import type { FileChange } from '@shared/domain/file-change'
import { editFindings } from '../../../../src/main/approvals/findings/edit-findings'

const change = (path: string, ...added: string[]): FileChange => ({
  path,
  mode: 'create',
  before: null,
  after: { sha256: 'a'.repeat(64), bytes: 1 },
  diff: added.map((text, n) => ({ kind: 'add', after: n + 1, text })),
})
const idsOf = (path: string, text = 'x', more = {}) =>
  editFindings({ change: change(path, text), executable: false, hardLinked: false, ...more }).map(
    ({ id }) => id,
  )

describe('editFindings', () => {
  test('finds nothing in an ordinary change', () => {
    expect(idsOf('docs/notes.md', 'plain text\twith a tab')).toEqual([])
  })

  test.each(['a\u202eb', 'zero\u200bwidth', 'tag\u{e0041}'])(
    'invisible characters in %j are serious',
    (text) => {
      const [found] = editFindings({
        change: change('a.md', 'x', text),
        executable: false,
        hardLinked: false,
      })
      expect(found).toMatchObject({ level: 'serious', line: 2 })
    },
  )

  test.each([
    ['Makefile', 'edit-runs-itself'],
    ['web/package.json', 'edit-runs-itself'],
    ['tests/conftest.py', 'edit-runs-itself'],
    ['vite.config.ts', 'edit-runs-itself'],
    ['.github/workflows/x.yml', 'edit-runs-itself'],
    ['tools/x.sh', 'edit-runs-itself'],
    ['AGENTS.md', 'edit-instructions'],
    ['skills/x/SKILL.md', 'edit-instructions'],
  ])('%s is said to be more than text', (path, id) => {
    expect(idsOf(path)).toEqual([id])
  })

  test('tells programs, hard links and lines that are not seen whole', () => {
    expect(idsOf('a', 'x', { executable: true })).toEqual(['edit-executable'])
    expect(idsOf('a', 'x', { hardLinked: true })).toEqual(['edit-hard-link'])
    expect(idsOf('a', 'x'.repeat(2001))).toEqual(['edit-long-line'])
  })

  test('looks only at new lines', () => {
    const removed: FileChange = { ...change('a.md'), diff: [{ kind: 'del', before: 1, text: 'a\u202eb' }] }
    expect(editFindings({ change: removed, executable: false, hardLinked: false })).toEqual([])
  })
})
