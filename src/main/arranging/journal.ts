import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ArrangeKind } from '@shared/domain/arranging'
import { readAllDurable, readDurable, writeDurable } from './durable'

/** A folder comes into being at `parent/name`. */
const Put = z.object({
  parent: z.string(),
  name: z.string(),
  /** Beside the target, where the new folder is made. */
  temp: z.string(),
  from: z.enum(['files', 'copy', 'trash']),
  /** The trash entry that is put back. */
  trashId: z.string().nullable(),
  /** Device and inode of the folder that takes the place, so that it is known again after a crash. */
  mark: z.string().nullable(),
  /** Of the tree that takes the place. */
  digest: z.string().nullable(),
  /** Of the tree that was copied, which must be the same when that is taken away. */
  source: z.string().nullable(),
})

/** The folder at `path` goes to the trash. */
const Take = z.object({
  path: z.string(),
  /** The same for display. */
  shown: z.string(),
  trashId: z.string(),
  /** Beside the folder: its name while it is removed after it was copied to another file system. */
  hidden: z.string(),
})

/** One operation: what it does, and how far it is. Where it is in between is told by the disk. */
export const Operation = z.object({
  id: z.string(),
  at: z.number(),
  kind: ArrangeKind,
  /** The skill's name before and afterwards. */
  was: z.string(),
  name: z.string(),
  put: Put.nullable(),
  take: Take.nullable(),
  step: z.enum(['begun', 'done', 'undone']),
  /** It is on record. */
  recorded: z.boolean(),
  /** Digests of the skill (`approvals.md` 8), for the record; null: there was none, or it can't be read. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  undoes: z.string().nullable(),
})
export type Operation = z.infer<typeof Operation>

/** Operations, a file each: open ones for the next start, done ones for an undo. */
export interface Journal {
  write(operation: Operation): void
  get(id: string): Operation | null
  /** The oldest first. */
  all(): Operation[]
  remove(id: string): void
}

export function createJournal(dir: string): Journal {
  const fileOf = (id: string) => join(dir, `${id}.json`)
  return {
    write: (operation) => writeDurable(fileOf(operation.id), operation),
    get: (id) => readDurable(fileOf(id), Operation),
    all: () => readAllDurable(dir, Operation).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)),
    remove: (id) => rmSync(fileOf(id), { force: true }),
  }
}
