import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ChainPoint } from './chain'

const Anchor = z.object({ seq: z.number().int().positive(), hash: z.string() })

/**
 * The end of the record, noted in a file beside the database: a record that is shorter, or another one, is told by
 * `verifyInSlices`. Whoever may write the data folder can write this file too: it shows what happened to the
 * database alone. A file of the organisation (`audit.write_to`) shows the rest.
 */
export function anchorFile(dataDir: string): string {
  return join(dataDir, ANCHOR)
}

/** Its name, by which the database knows that it was written. */
export const ANCHOR = 'audit-head.json'

/** The noted end; `missing` and `broken`: there is none, or it can't be understood. */
export function readAnchor(dataDir: string): ChainPoint | 'missing' | 'broken' {
  try {
    return Anchor.parse(JSON.parse(readFileSync(anchorFile(dataDir), 'utf8')))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'broken'
  }
}

/**
 * What does not fit between the noted end and the record; null: nothing. A note that never was written is not missed:
 * `noted` says whether the database knows of one.
 */
export function doubtOf(
  anchor: ReturnType<typeof readAnchor>,
  record: { head: ChainPoint | null; hashAt(seq: number): string | null; noted: boolean },
): Doubt | null {
  if (anchor === 'missing') return record.noted ? { why: 'note-missing' } : null
  if (anchor === 'broken') return { why: 'note-broken' }
  if (anchor.seq > (record.head?.seq ?? 0)) return { why: 'cut-off', ...anchor }
  return record.hashAt(anchor.seq) === anchor.hash ? null : { why: 'changed', ...anchor }
}

interface Doubt extends Partial<ChainPoint> {
  why: 'cut-off' | 'changed' | 'note-missing' | 'note-broken'
}

export function writeAnchor(dataDir: string, point: ChainPoint): void {
  const file = anchorFile(dataDir)
  const beside = `${file}.${process.pid}.part`
  writeFileSync(beside, `${JSON.stringify(point)}\n`, { mode: 0o600 })
  renameSync(beside, file)
}
