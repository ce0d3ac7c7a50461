import type { AuditEvent, AuditFault, AuditVerdict } from '@shared/domain/audit'
import { canonicalJson } from '@shared/canonical-json'
import { sha256 } from '../lib/hash'
import type { OutputDigests } from '../lib/output-digest'

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
  /** Digests of what runs printed; left out: that is not looked at. */
  outputs?: OutputDigests
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
  const seen: Seen = { remarks: [], output: null }
  for (;;) {
    const slice = reader.after(at.seq, SLICE)
    for (const entry of slice) {
      const fault = faultOf(entry, at) ?? differs(entry, reader.points) ?? toldFault(entry)
      if (fault) return { verdict: { entries: at.seq + 1, firstBad: at.seq + 1, fault }, at }
      at = { seq: entry.seq, hash: entry.hash }
      await look(entry, seen, reader)
    }
    if (slice.length < SLICE) break
    await reader.pause()
  }
  const cutOff = reader.points.some(({ seq }) => seq > at.seq)
  if (cutOff) return { verdict: { entries: at.seq, firstBad: at.seq + 1, fault: 'cut-off' }, at }
  const remarks = seen.remarks.length > 0 ? { remarks: seen.remarks } : {}
  const output = seen.output === null ? null : { firstBad: seen.output, fault: 'output' as const }
  return { verdict: { entries: at.seq, ...(output ?? { firstBad: null }), ...remarks }, at }
}

/** What was found besides the chain. */
interface Seen {
  remarks: string[]
  /** The first run whose kept output is not what it printed. */
  output: number | null
}

/** That the note of the end did not fit was written down at a start: the entries before are lost, or others. */
function toldFault({ action, data }: AuditEvent): AuditFault | null {
  const { why } = data
  return action === 'record.doubted' && (why === 'cut-off' || why === 'changed') ? why : null
}

async function look({ seq, action, data }: AuditEvent, seen: Seen, reader: ChainReader): Promise<void> {
  if (action === 'record.doubted') seen.remarks.push(noteRemark(data['why'] === 'note-broken', seq))
  const { runId, outputSha256 } = data
  if (!reader.outputs || seen.output !== null || action !== 'run.finished') return
  if (typeof runId !== 'string' || typeof outputSha256 !== 'string') return
  await reader.pause()
  const kept = reader.outputs(runId)
  if (kept !== null && kept !== outputSha256) seen.output = seq
}

/** About the note of the record's end; `seq`: the entry at which that was seen, null: now. */
export function noteRemark(isBroken: boolean, seq: number | null): string {
  const state = isBroken ? "couldn't be understood" : 'was missing'
  const when = seq === null ? '' : ` at entry ${seq.toLocaleString('en-US')}`
  return `The note of the record's end, audit-head.json, ${state}${when}: it can't tell whether the end was cut off before.`
}

function differs({ seq, hash }: AuditEvent, points: readonly ChainPoint[]): AuditFault | null {
  return points.some((point) => point.seq === seq && point.hash !== hash) ? 'changed' : null
}
