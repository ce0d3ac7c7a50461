import type { ModelRef } from '@shared/domain/settings'
import { z } from 'zod'
import { listMemo } from '../lib/list-memo'
import { allMessages, type MessageRow } from './message-rows'
import type { Connection } from './open'
import { readJson } from './json-column'
import { prepared } from './prepared'

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

interface Raw {
  model: ModelRef | null
  usage: string | null
}

/** Of the messages of a chat, which are read anyway. */
const answersOf = listMemo(({ model, usage }: MessageRow): UsageRow[] => {
  if (model === null || usage === null) return []
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  return [{ model, usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } }]
})

/** A chat and what it began. */
const FAMILY = `WITH RECURSIVE family (id) AS (
    VALUES (?) UNION ALL SELECT sessions.id FROM sessions JOIN family ON sessions.parent_id = family.id
  ) SELECT id FROM family`

/** What the answers of one chat used, or those of all chats since a time (milliseconds since 1970). */
export function listUsage(sql: Connection, of: { sessionId: string } | { since: number }): UsageRow[] {
  if ('sessionId' in of) {
    const chats = prepared(sql, FAMILY).all(of.sessionId) as { id: string }[]
    return chats.flatMap(({ id }) => answersOf(allMessages(sql, id)))
  }
  const rows = prepared(sql, 'SELECT model, usage FROM messages WHERE usage IS NOT NULL AND created_at >= ?')
  return (rows.all(of.since) as Raw[]).map(toUsage).filter((row) => row !== null)
}

function toUsage({ model, usage }: Raw): UsageRow | null {
  const counted = model === null ? null : readJson(Stored, usage, null)
  return model !== null && counted ? { model, usage: counted } : null
}
