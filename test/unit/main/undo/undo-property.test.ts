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
import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  oneof,
  record,
  string,
  type Arbitrary,
} from 'fast-check'
import { expect, test } from 'vitest'
import { createUndoKit, digestOf, linesOf } from './kit'

/** What a script may do to a tree, on few names so that the same path is hit again and again. */
const name = constantFrom('a', 'b', 'c', 'A', 'ü')
const path = array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const act = oneof(
  {
    weight: 3,
    arbitrary: record({ kind: constant('write' as const), path, text: string({ maxLength: 5 }) }),
  },
  { weight: 2, arbitrary: record({ kind: constant('delete' as const), path }) },
  record({ kind: constant('chmod' as const), path, mode: constantFrom(0o600, 0o755, 0o644, 0o711) }),
  record({ kind: constant('folder' as const), path }),
  record({ kind: constant('move' as const), path, to: path }),
  record({
    kind: constant('link' as const),
    path,
    to: constantFrom('a', '../outside', '../../outside', '/etc', 'nowhere', '.'),
  }),
)
type Act = typeof act extends Arbitrary<infer T> ? T : never

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
  if (change.kind === 'delete') rmSync(at, { recursive: true, force: true })
  else if (change.kind === 'chmod' && stat && !stat.isSymbolicLink()) chmodSync(at, change.mode)
  else if (change.kind === 'write') write(at, change.text)
  else if (change.kind === 'move') move(root, change)
  else if (!stat) make(at, change)
}

function make(at: string, change: Act): void {
  mkdirSync(dirname(at), { recursive: true })
  if (change.kind === 'folder') mkdirSync(at)
  if (change.kind === 'link') symlinkSync(change.to, at)
}

function write(at: string, text: string): void {
  mkdirSync(dirname(at), { recursive: true })
  if (!lstatSync(at, { throwIfNoEntry: false })?.isFile()) rmSync(at, { recursive: true, force: true })
  writeFileSync(at, text)
}

function move(root: string, change: Act & { kind: 'move' }): void {
  const [at, to] = [join(root, change.path), join(root, change.to)]
  if (!lstatSync(at, { throwIfNoEntry: false }) || !reachable(root, change.to)) return
  if (!existsSync(to) && isFolder(dirname(to)) && !`${to}/`.startsWith(`${at}/`)) renameSync(at, to)
}

const acts = array(act, { maxLength: 14 })

test('undo gives back the same tree, whatever a run did, and its undo what the run left', async () => {
  await assert(
    asyncProperty(acts, acts, async (made, done) => {
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
        if (!set) {
          expect(after).toEqual(before)
          return
        }
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
    { numRuns: 15 },
  )
}, 60_000)
