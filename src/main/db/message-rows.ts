import { z } from 'zod'
import { Message, Part, Usage } from '@shared/domain/session'
import { appendToBranch, onBranch, readTree, shownIds } from './branch-rows'
import type { Connection } from './open'
import { prepared } from './prepared'
import { readJson } from './json-column'
import { createRowMemory } from './row-memory'

/** A message with what the provider returned for it, opaque. */
export interface MessageRow extends Message {
  providerMessages: unknown[] | null
}

/** A message without the provider's own form, as the page gets it. */
export function publicMessage({ providerMessages: _kept, ...message }: MessageRow): Message {
  return message
}

interface Raw {
  id: string
  session_id: string
  seq: number
  role: string
  status: string
  parts: string
  provider_messages: string | null
  usage: string | null
  model: string | null
  created_at: number
}

/** Adds a message: to the queue, or to the end of the branch that is shown. */
export function insertMessage(sql: Connection, row: MessageRow): void {
  prepared(
    sql,
    `INSERT INTO messages (id, session_id, seq, role, status, parts, provider_messages, usage, model, created_at)
       VALUES (@id, @sessionId, @seq, @role, @status, @parts, @providerMessages, @usage, @model, @createdAt)`,
  ).run(toColumns(row))
  if (row.status !== 'queued') appendToBranch(sql, row)
}

/** A message leaves the queue for the end of the branch that is shown. */
export function deliverMessage(sql: Connection, row: MessageRow): void {
  updateMessage(sql, row)
  appendToBranch(sql, row)
}

/** Takes a message out of the queue; false when it waits no more. */
export function removeQueued(sql: Connection, sessionId: string, id: string): boolean {
  const removed = prepared(
    sql,
    `DELETE FROM messages WHERE id = ? AND session_id = ? AND status = 'queued'`,
  ).run(id, sessionId)
  return removed.changes > 0
}

/** Rewrites what may change while an answer arrives: status, parts, usage and the provider's own form. */
export function updateMessage(sql: Connection, row: MessageRow): void {
  prepared(
    sql,
    `UPDATE messages SET seq = @seq, status = @status, parts = @parts, provider_messages = @providerMessages,
       usage = @usage WHERE id = @id`,
  ).run(toColumns(row))
}

/** The branch that is shown and what waits in the queue, in order; damaged rows are left out. */
export function listMessages(sql: Connection, sessionId: string): readonly MessageRow[] {
  const rows = messagesOf.list(sql, sessionId)
  const shown = shownIds(readTree(sql, sessionId))
  return onBranch(rows, shown, ({ id, status }) => status === 'queued' || shown.has(id))
}

/** All that was said in this chat, on every branch, in order. */
export function allMessages(sql: Connection, sessionId: string): readonly MessageRow[] {
  return messagesOf.list(sql, sessionId)
}

/** The last rows of a chat, on whatever branch and in the queue, each with the message that it follows; null: a damaged one. */
export function lastMessages(sql: Connection, sessionId: string, count: number): (LastRow | null)[] {
  const raws = prepared(sql, 'SELECT * FROM messages WHERE session_id = ? ORDER BY seq DESC LIMIT ?').all(
    sessionId,
    count,
  ) as (Raw & { parent_id: string | null })[]
  return raws.toReversed().map((raw) => {
    const row = toRow(raw)
    return row && { row, parentId: raw.parent_id }
  })
}

export interface LastRow {
  row: MessageRow
  parentId: string | null
}

/** True when nothing was said in this chat yet. */
export function isEmptyChat(sql: Connection, sessionId: string): boolean {
  const said = prepared(sql, `SELECT 1 FROM messages WHERE session_id = ? AND role <> 'note' LIMIT 1`)
  return said.get(sessionId) === undefined
}

/** Answers that were arriving when the program of these chats ended. */
export function interruptStreaming(sql: Connection, isMine: (sessionId: string) => boolean): void {
  const rows = prepared(sql, `SELECT id, session_id FROM messages WHERE status = 'streaming'`).all()
  const interrupt = prepared(sql, `UPDATE messages SET status = 'interrupted' WHERE id = ?`)
  for (const { id, session_id } of rows as { id: string; session_id: string }[]) {
    if (isMine(session_id)) interrupt.run(id)
  }
}

function toColumns(row: MessageRow): Record<string, unknown> {
  return {
    id: row.id,
    sessionId: row.sessionId,
    seq: row.seq,
    role: row.role,
    status: row.status,
    parts: JSON.stringify(row.parts),
    providerMessages: row.providerMessages ? JSON.stringify(row.providerMessages) : null,
    usage: row.usage ? JSON.stringify(row.usage) : null,
    model: row.model,
    createdAt: row.createdAt,
  }
}

// Made once: making a schema takes longer than reading a row with it.
const Parts = z.array(Part)
const Counted = Usage.nullable()
const Opaque = z.array(z.unknown()).nullable()

function toRow(raw: Raw): MessageRow | null {
  const parsed = Message.safeParse({
    id: raw.id,
    sessionId: raw.session_id,
    seq: raw.seq,
    role: raw.role,
    status: raw.status,
    parts: readJson(Parts, raw.parts, []),
    usage: readJson(Counted, raw.usage, null),
    model: raw.model,
    createdAt: raw.created_at,
  })
  if (!parsed.success) return null
  return {
    ...parsed.data,
    providerMessages: readJson(Opaque, raw.provider_messages, null),
  }
}

export const messagesOf = createRowMemory<Raw, MessageRow>({
  table: 'messages',
  columns: '*',
  order: 'seq',
  toRow,
})
