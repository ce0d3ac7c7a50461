import { existsSync, lstatSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ArrangeKind } from '@shared/domain/arranging'
import { namesIn, readDurable, syncFolder, writeDurable } from './durable'
import { removeTree } from './tree'

/** A folder in the trash: `<id>/entry.json` says what it was, `<id>/tree` is it. */
export const Kept = z.object({
  id: z.string(),
  name: z.string(),
  /** The folder that it was. */
  path: z.string(),
  /** The same for display. */
  shown: z.string(),
  at: z.number(),
  /** Of which operation: only what was deleted is listed for people. */
  of: ArrangeKind,
  /** Null: it could not be read. */
  digest: z.string().nullable(),
  files: z.number(),
  bytes: z.number(),
})
export type Kept = z.infer<typeof Kept>

export const TRASH_MS = 30 * 86_400_000

export interface Trash {
  tree(id: string): string
  /** Written before the folder is taken. */
  note(entry: Kept): void
  /** Null: there is no such folder in the trash. */
  get(id: string): Kept | null
  /** The newest first. */
  list(): Kept[]
  /** For good. */
  remove(id: string): void
  /** At start: what is older than 30 days, and what was broken off; entries of these ids stay. */
  collect(now: number, wanted: ReadonlySet<string>): void
}

const GONE = '.gone-'

export function createTrash(dir: string): Trash {
  const tree = (id: string) => join(dir, id, 'tree')
  const get = (id: string): Kept | null =>
    isThere(tree(id)) ? readDurable(join(dir, id, 'entry.json'), Kept) : null
  /** Out of sight in one step, so that a crash leaves no half of a folder that looks whole. */
  const remove = (id: string) => {
    if (!existsSync(join(dir, id))) return
    renameSync(join(dir, id), join(dir, `${GONE}${id}`))
    removeTree(join(dir, `${GONE}${id}`))
  }
  return {
    tree,
    note(entry) {
      mkdirSync(join(dir, entry.id), { recursive: true, mode: 0o700 })
      syncFolder(dir)
      writeDurable(join(dir, entry.id, 'entry.json'), entry)
    },
    get,
    list: () =>
      namesIn(dir)
        .flatMap((id) => get(id) ?? [])
        .sort((a, b) => b.at - a.at),
    remove,
    collect(now, wanted) {
      for (const name of namesIn(dir)) {
        if (name.startsWith(GONE)) removeTree(join(dir, name))
        else if (wanted.has(name)) continue
        else if (!isThere(tree(name)) || (get(name)?.at ?? now) + TRASH_MS < now) remove(name)
      }
    },
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
