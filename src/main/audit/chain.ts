import type { AuditEvent, AuditVerdict } from '@shared/domain/audit'
import { canonicalJson } from '@shared/canonical-json'
import { sha256 } from '../lib/hash'

/** `prevHash` of the first entry. */
export const GENESIS = '0'.repeat(64)

/** Hash of an entry: over the canonical JSON of every other field, the hash before it included (AP-11). */
export function entryHash(entry: Omit<AuditEvent, 'hash'>): string {
  const { seq, at, actor, action, sessionId, target, data, prevHash } = entry
  return sha256(canonicalJson({ seq, at, actor, action, sessionId, target, data, prevHash }))
}

/** Recomputes the chain in the order of `seq`: a changed, missing or inserted entry is the first bad one. */
export function verifyChain(entries: Iterable<AuditEvent>): AuditVerdict {
  let previous = GENESIS
  let count = 0
  for (const entry of entries) {
    count += 1
    if (entry.seq !== count || entry.prevHash !== previous || entryHash(entry) !== entry.hash) {
      return { entries: count, firstBad: Math.min(entry.seq, count) }
    }
    previous = entry.hash
  }
  return { entries: count, firstBad: null }
}
