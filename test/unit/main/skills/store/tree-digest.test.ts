import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashTree } from '../../../../../src/main/skills/store/snapshot-copy'
import { listTree } from '../../../../../src/main/skills/store/tree'
import { treeDigest } from '../../../../../src/main/skills/store/tree-digest'
import { recordFor, sampleStore, tempDir, write } from '../support'

const rules = { maxFiles: 100, allowHardLinks: false }

describe('the tree digest', () => {
  it('of a known tree is this one, worked out with another program', async () => {
    const dir = tempDir()
    write(join(dir, 'SKILL.md'), 'hello\n')
    write(join(dir, 'scripts/run.sh'), 'echo hi\n', 0o755)
    write(join(dir, 'é.md'), '')
    write(join(dir, '.git/HEAD'), 'not counted')
    // sha256 of these three lines, each file's own hash and the whole by sha256sum:
    // "- SKILL.md\0" 5891b5b5… "\n", "x scripts/run.sh\0" ab08508f… "\n", "- é.md\0" e3b0c442… "\n"
    const digest = treeDigest(await hashTree(listTree(dir, rules).files))
    expect(digest).toBe('f65b3b9ef8f7bcae1be60c09fe8bfc0ad8b6e31eb10d5300958adda184a5373f')
  })

  it('changes with the content, the name and the executable bit of any file, and with nothing else', async () => {
    const { dir, store } = sampleStore()
    const digests = [await store.digestOf(recordFor(dir))]
    const note = async (change: () => void) => {
      change()
      digests.push(await store.digestOf(recordFor(dir)))
    }
    await note(() => writeFileSync(join(dir, 'references/guide.md'), 'Guidf\n'))
    await note(() => renameSync(join(dir, 'references/guide.md'), join(dir, 'references/other.md')))
    await note(() => chmodSync(join(dir, 'references/other.md'), 0o744))
    expect(new Set(digests).size).toBe(4)
    await note(() => chmodSync(join(dir, 'references/other.md'), 0o700))
    await note(() => mkdirSync(join(dir, 'empty')))
    await note(() => write(join(dir, '.git/x'), 'x'))
    expect(new Set(digests.slice(3)).size).toBe(1)
  })

  it('does not depend on the order of the files', () => {
    const file = fc.record({
      path: fc.string({ minLength: 1 }),
      size: fc.nat(),
      sha256: fc.constant('a'.repeat(64)),
      executable: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.uniqueArray(file, { selector: ({ path }) => path }), (files) => {
        expect(treeDigest(files.toReversed())).toBe(treeDigest(files))
      }),
    )
  })

  it('of different lists of files is different', () => {
    const file = fc.record({
      path: fc.constantFrom('a', 'b', 'a\n- b', 'x a', ' '),
      size: fc.constant(0),
      sha256: fc.constantFrom('a'.repeat(64), 'b'.repeat(64)),
      executable: fc.boolean(),
    })
    const list = fc
      .uniqueArray(file, { selector: ({ path }) => path, maxLength: 3 })
      .map((files) => files.sort((a, b) => (a.path < b.path ? -1 : 1)))
    fc.assert(
      fc.property(list, list, (a, b) => {
        expect(treeDigest(a) === treeDigest(b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
    )
  })
})
