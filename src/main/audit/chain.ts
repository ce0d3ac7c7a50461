import type { AuditEvent, AuditFault, AuditVerdict } from '@shared/domain/audit'
import { canonicalJson } from '@shared/canonical-json'
import { sha256 } from '../lib/hash'

/** `prevHash` of the first entry. */
export const GENESIS = '0'.repeat(64)

/** An entry by its number and hash: where a check stands, or what is known of it from elsewhere. */
export interface ChainPoint {
  seq: number
  hash: string
}

export const START: ChainPoint = { seq: 0, hash: GENESIS }

/** Hash of an entry: over the canonical JSON of every other field, the hash before it included (AP-11). */
export function entryHash(entry: Omit<AuditEvent, 'hash'>): string {
  const { seq, at, actor, action, sessionId, target, data, prevHash } = entry
  return sha256(canonicalJson({ seq, at, actor, action, sessionId, target, data, prevHash }))
}

/** Why an entry can't follow that point; null: it does. */
export function faultOf(entry: AuditEvent, before: ChainPoint): AuditFault | null {
  if (entry.seq > before.seq + 1) return 'missing'
  if (entryHash(entry) !== entry.hash) return 'changed'
  return entry.seq !== before.seq + 1 || entry.prevHash !== before.hash ? 'order' : null
}

/** Recomputes the chain in the order of `seq`: a changed, missing or inserted entry is the first bad one. */
export function verifyChain(entries: Iterable<AuditEvent>): AuditVerdict {
  let at = START
  for (const entry of entries) {
    const fault = faultOf(entry, at)
    if (fault) return { entries: at.seq + 1, firstBad: at.seq + 1, fault }
    at = { seq: entry.seq, hash: entry.hash }
  }
  return { entries: at.seq, firstBad: null }
}

export interface ChainReader {
  /** Oldest first. */
  after(seq: number, limit: number): AuditEvent[]
  /** What else is known of the record: its end, as it was noted beside it. */
  points: readonly ChainPoint[]
  /** Lets others work between two slices. */
  pause(): Promise<void>
}

const SLICE = 1000

/**
 * The same over a record of any length, in slices, from a point that was found sound before. A noted point that is not
 * in the record says that its end was cut off, or that the record is another one.
 */
export async function verifyInSlices(
  reader: ChainReader,
  from: ChainPoint = START,
): Promise<{ verdict: AuditVerdict; at: ChainPoint }> {
  let at = from
  for (;;) {
    const slice = reader.after(at.seq, SLICE)
    for (const entry of slice) {
      const fault = faultOf(entry, at) ?? differs(entry, reader.points)
      if (fault) return { verdict: { entries: at.seq + 1, firstBad: at.seq + 1, fault }, at }
      at = { seq: entry.seq, hash: entry.hash }
    }
    if (slice.length < SLICE) break
    await reader.pause()
  }
  const cutOff = reader.points.some(({ seq }) => seq > at.seq)
  if (cutOff) return { verdict: { entries: at.seq, firstBad: at.seq + 1, fault: 'cut-off' }, at }
  return { verdict: { entries: at.seq, firstBad: null }, at }
}

function differs({ seq, hash }: AuditEvent, points: readonly ChainPoint[]): AuditFault | null {
  return points.some((point) => point.seq === seq && point.hash !== hash) ? 'changed' : null
}
