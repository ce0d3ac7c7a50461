import { expireChangeSet, keptChangeSets } from '../db/change-rows'
import type { Context } from './context'
import { storedChanges } from './view'

/** A program that was just started may have written contents that no row names yet. */
const GRACE_MS = 3_600_000

/**
 * Gives up contents that are older than what is promised or over the quota, the oldest first, and removes what nobody
 * needs. Only where no other program uses the data: it may be at work on a run.
 */
export function collect(context: Context): void {
  const { deps, limits, blobs, latest, before } = context
  if (!deps.program.isAlone()) return
  const sizes = blobs.sizes()
  const needed = new Set<string>()
  let bytes = 0
  for (const set of keptChangeSets(deps.db.sql)) {
    const mine = [...hashesOf(context, set.id)].filter((hash) => !needed.has(hash))
    bytes += mine.reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0)
    // One that is under way is never given up.
    const isKept =
      set.state === 'open' || (set.createdAt >= deps.now() - limits.ageMs && bytes <= limits.quota)
    if (isKept) for (const hash of mine) needed.add(hash)
    else deps.db.tx(() => expireChangeSet(deps.db.sql, set.id))
  }
  for (const listing of [...latest.values(), ...before.values()]) {
    for (const { hash } of listing.entries.values()) if (hash !== null) needed.add(hash)
  }
  blobs.sweep(needed, GRACE_MS)
}

function hashesOf(context: Context, setId: string): Set<string> {
  const all = storedChanges(context, setId).flatMap(({ before, after }) => [before?.hash, after?.hash])
  return new Set(all.filter((hash) => typeof hash === 'string'))
}
