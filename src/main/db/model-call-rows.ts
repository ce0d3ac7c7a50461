import { z } from 'zod'
import { CallPart, ModelCall, PartTokens } from '@shared/domain/context'
import { Usage } from '@shared/domain/session'
import type { Connection } from './open'
import { prepared } from './prepared'
import { readJson } from './json-column'

/** One model call as it is stored: texts by their hashes. */
export interface ModelCallRow {
  id: string
  sessionId: string
  number: number
  kind: ModelCall['kind']
  messageId: string
  model: string
  blocks: [part: CallPart, hash: string][]
  tools: string
  catalogue: string
  /** Messages taken over from the call before. */
  kept: number
  /** Hashes of those after them. */
  added: string[]
  parts: PartTokens
  meter: number
  startedAt: number
}

/** How a call ended. */
export interface CallEnd {
  outcome: 'answered' | 'stopped' | 'failed'
  usage: Usage | null
  costUsd: number | null
  retries: number
  endedAt: number
}

export interface EndedCallRow extends ModelCallRow, Omit<CallEnd, 'outcome' | 'endedAt'> {
  /** Null while it is under way, and after a crash. */
  outcome: CallEnd['outcome'] | null
  endedAt: number | null
}

interface Raw {
  id: string
  session_id: string
  number: number
  kind: string
  message_id: string
  model: string
  blocks: string
  tools: string
  catalogue: string
  kept: number
  added: string
  parts: string
  meter: number
  usage: string | null
  cost_usd: number | null
  outcome: string | null
  retries: number
  started_at: number
  ended_at: number | null
}

export function insertModelCall(sql: Connection, row: ModelCallRow): void {
  prepared(
    sql,
    `INSERT INTO model_calls (id, session_id, number, kind, message_id, model, blocks, tools, catalogue, kept, added,
         parts, meter, started_at)
       VALUES (@id, @sessionId, @number, @kind, @messageId, @model, @blocks, @tools, @catalogue, @kept, @added,
         @parts, @meter, @startedAt)`,
  ).run({
    ...row,
    blocks: JSON.stringify(row.blocks),
    added: JSON.stringify(row.added),
    parts: JSON.stringify(row.parts),
  })
}

export function endModelCall(sql: Connection, id: string, end: CallEnd): void {
  prepared(
    sql,
    `UPDATE model_calls SET outcome = @outcome, usage = @usage, cost_usd = @costUsd, retries = @retries,
         ended_at = @endedAt WHERE id = @id`,
  ).run({ ...end, id, usage: end.usage ? JSON.stringify(end.usage) : null })
}

/** In order; damaged rows are left out. */
export function listModelCalls(sql: Connection, sessionId: string): EndedCallRow[] {
  const raws = prepared(sql, 'SELECT * FROM model_calls WHERE session_id = ? ORDER BY number').all(sessionId)
  return (raws as Raw[]).map(toRow).filter((row) => row !== null)
}

export function getModelCall(sql: Connection, sessionId: string, number: number): EndedCallRow | null {
  const raw = prepared(sql, 'SELECT * FROM model_calls WHERE session_id = ? AND number = ?').get(
    sessionId,
    number,
  ) as Raw | undefined
  return raw ? toRow(raw) : null
}

/** The last call that brought an answer, or null. */
export function lastAnswerCall(sql: Connection, sessionId: string): EndedCallRow | null {
  const raw = prepared(
    sql,
    `SELECT * FROM model_calls WHERE session_id = ? AND kind = 'answer' AND outcome = 'answered'
       ORDER BY number DESC LIMIT 1`,
  ).get(sessionId) as Raw | undefined
  return raw ? toRow(raw) : null
}

/** Number of the last call of a chat; 0 before the first. */
export function lastCallNumber(sql: Connection, sessionId: string): number {
  const row = prepared(sql, 'SELECT max(number) AS number FROM model_calls WHERE session_id = ?').get(
    sessionId,
  ) as { number: number | null }
  return row.number ?? 0
}

/** Hashes of the messages of one call. */
export function messageHashes(sql: Connection, sessionId: string, number: number): string[] {
  const rows = prepared(
    sql,
    'SELECT kept, added FROM model_calls WHERE session_id = ? AND number <= ? ORDER BY number',
  ).all(sessionId, number) as Pick<Raw, 'kept' | 'added'>[]
  const hashes: string[] = []
  for (const { kept, added } of rows) {
    hashes.length = Math.min(kept, hashes.length)
    hashes.push(...readJson(Hashes, added, []))
  }
  return hashes
}

/** Keeps texts by their hashes; those that are kept already stay. */
export function putTexts(sql: Connection, sessionId: string, texts: ReadonlyMap<string, string>): void {
  const put = prepared(sql, 'INSERT OR IGNORE INTO call_texts (session_id, hash, text) VALUES (?, ?, ?)')
  for (const [hash, text] of texts) put.run(sessionId, hash, text)
}

/** The text of a hash; empty when it is gone. */
export function getText(sql: Connection, sessionId: string, hash: string): string {
  const row = prepared(sql, 'SELECT text FROM call_texts WHERE session_id = ? AND hash = ?').get(
    sessionId,
    hash,
  ) as { text: string } | undefined
  return row?.text ?? ''
}

const Stored = z.object({
  kind: ModelCall.shape.kind,
  blocks: z.array(z.tuple([CallPart, z.string()])),
  parts: PartTokens,
  outcome: z.enum(['answered', 'stopped', 'failed']).nullable(),
})

// Made once: making a schema takes longer than reading a row with it.
const Hashes = z.array(z.string())
const Blocks = z.array(z.unknown())
const StoredUsage = Usage.nullable()

function toRow(raw: Raw): EndedCallRow | null {
  const stored = Stored.safeParse({
    kind: raw.kind,
    blocks: readJson(Blocks, raw.blocks, []),
    parts: readJson(PartTokens, raw.parts, {}),
    outcome: raw.outcome,
  })
  if (!stored.success) return null
  return {
    ...stored.data,
    id: raw.id,
    sessionId: raw.session_id,
    number: raw.number,
    messageId: raw.message_id,
    model: raw.model,
    tools: raw.tools,
    catalogue: raw.catalogue,
    kept: raw.kept,
    added: readJson(Hashes, raw.added, []),
    meter: raw.meter,
    usage: readJson(StoredUsage, raw.usage, null),
    costUsd: raw.cost_usd,
    retries: raw.retries,
    startedAt: raw.started_at,
    endedAt: raw.ended_at,
  }
}
