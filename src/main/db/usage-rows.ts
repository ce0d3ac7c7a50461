import type { ModelRef } from '@shared/domain/settings'
import { z } from 'zod'
import type { Connection } from './open'
import { readJson } from './json-column'

/** Tokens of one answer as they were stored; the cache parts where the provider counted them. */
const Counted = z.object({
  inputTokens: z.number().nonnegative(),
  outputTokens: z.number().nonnegative(),
  cacheReadTokens: z.number().nonnegative().default(0),
  cacheWriteTokens: z.number().nonnegative().default(0),
})

const Stored = Counted.nullable()

export interface UsageRow {
  model: ModelRef
  usage: z.infer<typeof Counted>
}

/** A chat and what it began. */
const IN_FAMILY = `session_id IN (
  WITH RECURSIVE family (id) AS (
    VALUES (?) UNION ALL SELECT sessions.id FROM sessions JOIN family ON sessions.parent_id = family.id
  ) SELECT id FROM family)`

/** What the answers of one chat used, or those of all chats since a time (milliseconds since 1970). */
export function listUsage(sql: Connection, of: { sessionId: string } | { since: number }): UsageRow[] {
  const [where, value] = 'since' in of ? ['created_at >= ?', of.since] : [IN_FAMILY, of.sessionId]
  const rows = sql
    .prepare<[string | number], { model: string; usage: string }>(
      `SELECT model, usage FROM messages WHERE usage IS NOT NULL AND model IS NOT NULL AND ${where}`,
    )
    .all(value)
  return rows.flatMap(({ model, usage }) => {
    const counted = readJson(Stored, usage, null)
    return counted ? [{ model, usage: counted }] : []
  })
}
