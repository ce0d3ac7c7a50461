import { join } from 'node:path'
import type { Journal } from './journal'

/** Where a folder is that was renamed or moved since then, in milliseconds, however often; null: it was not. */
export function wentTo(journal: Pick<Journal, 'all'>, path: string, since: number): string | null {
  let now = path
  for (const { at, step, put, take } of journal.all()) {
    if (step === 'done' && at >= since && put && take?.path === now) now = join(put.parent, put.name)
  }
  return now === path ? null : now
}
