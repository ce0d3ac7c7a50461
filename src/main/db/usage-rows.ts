import type { ModelRef } from '@shared/domain/settings'
import type { Connection } from './open'
import { prepared } from './prepared'

/** Tokens that calls used; the cache parts belong to the input. */
export interface UsedTokens {
  inputTokens: number
  outputTokens: number
  cacheReadTokens: number
  cacheWriteTokens: number
}

/** What the calls of one model used together. */
export interface UsageRow {
  model: ModelRef
  calls: number
  /** Of these calls, those that the provider did not count, or not wholly. */
  estimated: number
  usage: UsedTokens
}

/** A call before it is made: until its end is known it counts as what it sends. */
export interface CallToCount {
  id: string
  sessionId: string
  model: ModelRef
  inputTokens: number
  /** Milliseconds since 1970. */
  at: number
}

/** Counts a call that is about to be made: one that a crash ends was sent all the same. */
export function countCall(sql: Connection, call: CallToCount): void {
  forget(sql)
  prepared(
    sql,
    `INSERT INTO spent (call_id, session_id, model, input_tokens, output_tokens, cache_read_tokens,
         cache_write_tokens, estimated, at)
       VALUES (@id, @sessionId, @model, @inputTokens, 0, 0, 0, 1, @at)`,
  ).run(call)
}

/** What it used in the end; `inputTokens` null: what it was counted as before. */
export function settleCall(
  sql: Connection,
  id: string,
  used: Omit<UsedTokens, 'inputTokens'> & { inputTokens: number | null; estimated: boolean },
): void {
  forget(sql)
  prepared(
    sql,
    `UPDATE spent SET input_tokens = coalesce(@inputTokens, input_tokens), output_tokens = @outputTokens,
         cache_read_tokens = @cacheReadTokens, cache_write_tokens = @cacheWriteTokens, estimated = @estimated
       WHERE call_id = @id`,
  ).run({ ...used, id, estimated: used.estimated ? 1 : 0 })
}

/** It cost nothing: no provider worked on it. */
export function uncountCall(sql: Connection, id: string): void {
  forget(sql)
  prepared(sql, 'DELETE FROM spent WHERE call_id = ?').run(id)
}

interface Raw extends UsedTokens {
  model: ModelRef
  calls: number
  estimated: number
}

const SUMS = `SELECT model, count(*) AS calls, sum(estimated) AS estimated,
    sum(max(input_tokens, cache_read_tokens + cache_write_tokens)) AS inputTokens,
    sum(output_tokens) AS outputTokens, sum(cache_read_tokens) AS cacheReadTokens,
    sum(cache_write_tokens) AS cacheWriteTokens
  FROM spent`

/** A chat and what it began. */
const OF_FAMILY = `WITH RECURSIVE family (id) AS (
    VALUES (?) UNION ALL SELECT sessions.id FROM sessions JOIN family ON sessions.parent_id = family.id
  ) ${SUMS} WHERE session_id IN (SELECT id FROM family) GROUP BY model`

/**
 * What the calls of one chat and of what it began used, or those of all chats since a time (milliseconds since 1970),
 * also of chats that are deleted; by model.
 */
export function listUsage(sql: Connection, of: { sessionId: string } | { since: number }): UsageRow[] {
  if ('sessionId' in of) return ofChat(sql, of.sessionId)
  return toRows(prepared(sql, `${SUMS} WHERE at >= ? GROUP BY model`).all(of.since))
}

function toRows(raws: unknown[]): UsageRow[] {
  return (raws as Raw[]).map(({ model, calls, estimated, ...usage }) => ({ model, calls, estimated, usage }))
}

/** Sums of chats, until a call is counted here or anything is written by another connection. */
interface Remembered {
  version: number
  sums: Map<string, UsageRow[]>
}

const remembered = new WeakMap<Connection, Remembered>()

/** Asked with every change of a chat, which may have thousands of calls. What may be taken back is not remembered. */
function ofChat(sql: Connection, sessionId: string): UsageRow[] {
  const read = () => toRows(prepared(sql, OF_FAMILY).all(sessionId))
  if (sql.inTransaction) return read()
  const { data_version: version } = prepared(sql, 'PRAGMA data_version').get() as { data_version: number }
  const known = remembered.get(sql)
  const { sums } = known?.version === version ? known : { sums: new Map<string, UsageRow[]>() }
  remembered.set(sql, { version, sums })
  const rows = sums.get(sessionId) ?? read()
  sums.set(sessionId, rows)
  return rows
}

function forget(sql: Connection): void {
  remembered.delete(sql)
}
