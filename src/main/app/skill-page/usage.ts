import type { SkillUsage } from '@shared/domain/skill-page'
import type { Connection } from '../../db/open'
import { chatsWithSkill, lastUses, medianLoadTokens, skillCounts } from '../../db/skill-use-rows'

const LAST = 10
const CHATS = 20
const DAY_MS = 86_400_000
/** ux.md 3.3: so long without a use is said. */
const UNUSED_DAYS = 90

/** What was done with one copy, from the record and the runs on this computer alone (G5). */
export function skillUsage(sql: Connection, key: string, now: number): SkillUsage {
  const { recordedSince, ...counts } = skillCounts(sql, key)
  return {
    ...counts,
    medianTokens: medianLoadTokens(sql, key),
    last: lastUses(sql, key, LAST),
    activeIn: chatsWithSkill(sql, key, CHATS),
    unusedFor: isUnused(counts.lastUsedAt ?? recordedSince, now) ? UNUSED_DAYS : null,
  }
}

/** A copy that was never used counts from the day on which the record begins. */
function isUnused(since: number | null, now: number): boolean {
  return since !== null && now - since > UNUSED_DAYS * DAY_MS
}
