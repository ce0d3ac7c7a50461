import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createUndoKit, digestOf, linesOf } from './kit'

/** What a script may do to a tree, on few names so that the same path is hit again and again. */
const name = fc.constantFrom('a', 'b', 'c', 'A', 'ü')
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const act = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('write' as const), path, text: fc.string({ maxLength: 5 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), path }) },
  fc.record({ kind: fc.constant('chmod' as const), path, mode: fc.constantFrom(0o600, 0o755, 0o644, 0o711) }),
  fc.record({ kind: fc.constant('folder' as const), path }),
  fc.record({ kind: fc.constant('move' as const), path, to: path }),
  fc.record({
    kind: fc.constant('link' as const),
    path,
    to: fc.constantFrom('a', '../outside', '../../outside', '/etc', 'nowhere', '.'),
  }),
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

function isFolder(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isDirectory() ?? false
}

/** False where a part of the path is no folder: a script would fail there, or leave the tree by a link. */
function reachable(root: string, path: string): boolean {
  const parts = path.split('/').slice(0, -1)
  return parts.every((_, n) => {
    const stat = lstatSync(join(root, ...parts.slice(0, n + 1)), { throwIfNoEntry: false })
    return !stat || stat.isDirectory()
  })
}

function apply(root: string, change: Act): void {
  const at = join(root, change.path)
  if (!reachable(root, change.path)) return
  const stat = lstatSync(at, { throwIfNoEntry: false })
  if (change.kind === 'delete') return rmSync(at, { recursive: true, force: true })
  if (change.kind === 'chmod') return stat && !stat.isSymbolicLink() ? chmodSync(at, change.mode) : undefined
  mkdirSync(dirname(at), { recursive: true })
  if (change.kind === 'folder') return stat ? undefined : void mkdirSync(at)
  if (change.kind === 'link') return stat ? undefined : symlinkSync(change.to, at)
  if (change.kind === 'write') {
    if (stat?.isSymbolicLink() || stat?.isDirectory()) rmSync(at, { recursive: true })
    return writeFileSync(at, change.text)
  }
  const to = join(root, change.to)
  const fits = stat && reachable(root, change.to) && !existsSync(to) && isFolder(dirname(to))
  if (fits && !`${to}/`.startsWith(`${at}/`)) renameSync(at, to)
}

const acts = fc.array(act, { maxLength: 14 })

test('undo gives back the same tree, whatever a run did, and its undo what the run left', async () => {
  await fc.assert(
    fc.asyncProperty(acts, acts, async (made, done) => {
      const kit = createUndoKit()
      try {
        mkdirSync(join(kit.root, '..', 'outside'))
        writeFileSync(join(kit.root, '..', 'outside', 'a'), 'not yours')
        const around = digestOf(join(kit.root, '..', 'outside'))
        for (const change of made) apply(kit.root, change)
        const before = linesOf(kit.root, '')
        const run = await kit.run(() => {
          for (const change of done) apply(kit.root, change)
        })
        const after = linesOf(kit.root, '')
        const [set] = await kit.undo.view(run)
        if (!set) return void expect(after).toEqual(before)
        expect((await kit.undo.undo({ setId: set.id })).left).toEqual([])
        expect(linesOf(kit.root, '')).toEqual(before)
        const undone = (await kit.undo.view(run)).at(-1)!
        expect((await kit.undo.undo({ setId: undone.id })).left).toEqual([])
        expect(linesOf(kit.root, '')).toEqual(after)
        expect(digestOf(join(kit.root, '..', 'outside'))).toBe(around)
        expect(kit.errors).toEqual([])
      } finally {
        kit.remove()
      }
    }),
    { numRuns: 40 },
  )
}, 60_000)
