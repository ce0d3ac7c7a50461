import { foldName } from '@shared/skill-md/skill-name'
import type { SkillChanges, SkillSummary, SkillTotals } from '@shared/domain/skill'
import type { SkillEntry } from '../record'
import { summaryOf } from './summary'
import type { View } from './view'

/** What a stream of changes needs of the registry. */
export interface ChangeSource {
  /** As of now. */
  view(): View
  /** Null until every skill was seen once. */
  totals(): SkillTotals | null
  /** Rises whenever anything may have changed. */
  version(): number
  /** Done when the version is another one, or the reader left. */
  changed(version: number): Promise<void>
  /** Ends every such wait, to look again. */
  wake(): void
  closed(): boolean
  signal: AbortSignal
}

/** Characters of JSON in one part; most are ASCII, and at three bytes each it would still be 240 kB. */
const MAX_PART = 80_000

/**
 * First every row in parts, then only rows that are others than those sent; `totals` come with the last part of each
 * change. A slow reader gets what is there when it asks for more, not every step in between.
 */
export async function* createChangeStream(source: ChangeSource): AsyncGenerator<SkillChanges> {
  const { signal } = source
  const sent: Sent = new Map()
  const told = { version: 0, totals: '' }
  signal.addEventListener('abort', source.wake)
  try {
    while (!signal.aborted && !source.closed()) {
      const seen = source.version()
      yield* partsOf(source, sent, told)
      if (signal.aborted) return
      await source.changed(seen)
    }
  } finally {
    signal.removeEventListener('abort', source.wake)
  }
}

/** By folded name. */
type Sent = Map<string, readonly SkillEntry[]>

interface Told {
  /** Version of the view. */
  version: number
  totals: string
}

function* partsOf(source: ChangeSource, sent: Sent, told: Told): Generator<SkillChanges> {
  const view = source.view()
  const { changed, removed } = differences(view, sent, told.version)
  told.version = view.version()
  const totals = source.totals()
  const text = JSON.stringify(totals && { ...totals, scanMs: 0 })
  const news = changed.length > 0 || removed.length > 0
  if (!news && (totals === null || text === told.totals)) return
  let part: SkillChanges = { rows: [], removed }
  let size = 0
  for (const entry of changed) {
    const row = summaryOf(entry)
    size += sizeOf(row)
    if (size > MAX_PART) {
      yield part
      part = { rows: [], removed: [] }
      size = sizeOf(row)
    }
    part.rows.push(row)
  }
  if (totals) told.totals = text
  yield totals ? { ...part, totals } : part
}

/** Entries that are others than those sent, and keys that are gone; both are taken for sent then. */
function differences(view: View, sent: Sent, since: number): { changed: SkillEntry[]; removed: string[] } {
  const changed: SkillEntry[] = []
  const before: SkillEntry[] = []
  const known = since === 0 ? null : view.changedSince(since)
  for (const name of known ?? new Set([...view.groups().keys(), ...sent.keys()])) {
    const [old, now] = [sent.get(name) ?? [], view.named(name)]
    if (old === now) continue
    changed.push(...now.filter((entry) => !old.includes(entry)))
    before.push(...old)
    if (now.length > 0) sent.set(name, now)
    else sent.delete(name)
  }
  // A skill that got another name is not gone.
  const stays = new Set(changed.map(({ record }) => record.key))
  const isGone = ({ record }: SkillEntry) =>
    !stays.has(record.key) && !view.named(foldName(record.name)).some((e) => e.record.key === record.key)
  return { changed, removed: before.filter(isGone).map(({ record }) => record.key) }
}

function sizeOf(row: SkillSummary): number {
  return JSON.stringify(row).length
}
