import { z } from 'zod'
import { CallEdit } from '@shared/domain/call-edit'
import { FileChange } from '@shared/domain/file-change'
import { Envelope, ToolCall } from '@shared/domain/session'
import { onBranch, readTree, shownIds } from './branch-rows'
import type { Connection } from './open'
import { prepared } from './prepared'
import { readJson } from './json-column'
import { createRowMemory } from './row-memory'

export interface CallRow extends ToolCall {
  /** The id that the provider gave; its result is sent back under it. */
  providerCallId: string
}

interface Raw {
  id: string
  session_id: string
  message_id: string
  provider_call_id: string
  step: number
  name: string
  input: string
  state: string
  envelope: string | null
  request_id: string | null
  run_id: string | null
  change: string | null
  started_at: number | null
  ended_at: number | null
  child_id: string | null
  edited: string | null
}

export function insertCall(sql: Connection, row: CallRow): void {
  prepared(
    sql,
    `INSERT INTO calls (id, session_id, message_id, provider_call_id, step, name, input, state, envelope,
        request_id, run_id, started_at, ended_at, child_id)
       VALUES (@id, @sessionId, @messageId, @providerCallId, @step, @name, @input, @state, @envelope,
        @requestId, @runId, @startedAt, @endedAt, @childId)`,
  ).run(toColumns(row))
}

export function updateCall(sql: Connection, row: CallRow): void {
  prepared(
    sql,
    `UPDATE calls SET state = @state, envelope = @envelope, request_id = @requestId, run_id = @runId,
        started_at = @startedAt, ended_at = @endedAt, change = @change, child_id = @childId,
        edited = @edited WHERE id = @id`,
  ).run(toColumns(row))
}

export function getCall(sql: Connection, id: string): CallRow | null {
  const raw = prepared(sql, 'SELECT * FROM calls WHERE id = ?').get(id) as Raw | undefined
  return raw ? toRow(raw) : null
}

/** Those of the branch that is shown, in the order of the ledger; damaged rows are left out. */
export function listCalls(sql: Connection, sessionId: string): readonly CallRow[] {
  const rows = callsOf.list(sql, sessionId)
  const shown = shownIds(readTree(sql, sessionId))
  return onBranch(rows, shown, ({ messageId }) => shown.has(messageId))
}

/** The calls of one message, in order; damaged rows are left out. */
export function callsOfMessage(sql: Connection, messageId: string): CallRow[] {
  const raws = prepared(sql, 'SELECT * FROM calls WHERE message_id = ? ORDER BY step').all(messageId) as Raw[]
  return raws.map(toRow).filter((row) => row !== null)
}

/** Loads of skills in a chat before a step, in order. */
export function loadsBefore(sql: Connection, sessionId: string, step: number): CallRow[] {
  const raws = prepared(
    sql,
    `SELECT * FROM calls WHERE session_id = ? AND step < ? AND name = 'skills_load' ORDER BY step`,
  ).all(sessionId, step) as Raw[]
  return raws.map(toRow).filter((row) => row !== null)
}

/** Calls of every chat that were being carried out when the app ended. */
export function listRunningCalls(sql: Connection): CallRow[] {
  const raws = prepared(sql, `SELECT * FROM calls WHERE state = 'running'`).all() as Raw[]
  return raws.map(toRow).filter((row) => row !== null)
}

function toColumns(row: CallRow): Record<string, unknown> {
  return {
    ...row,
    input: JSON.stringify(row.input),
    envelope: row.envelope ? JSON.stringify(row.envelope) : null,
    change: row.change ? JSON.stringify(row.change) : null,
    childId: row.childId ?? null,
    edited: row.edited ? JSON.stringify(row.edited) : null,
  }
}

// Made once: making a schema takes longer than reading a row with it.
const Input = z.record(z.string(), z.unknown())
const Result = Envelope.nullable()
const Change = FileChange.nullable()
const Edited = CallEdit.nullable()

function toRow(raw: Raw): CallRow | null {
  const parsed = ToolCall.safeParse({
    id: raw.id,
    sessionId: raw.session_id,
    messageId: raw.message_id,
    step: raw.step,
    name: raw.name,
    input: readJson(Input, raw.input, {}),
    state: raw.state,
    envelope: readJson(Result, raw.envelope, null),
    ...(raw.provider_call_id === '' ? { byPerson: true } : {}),
    requestId: raw.request_id,
    runId: raw.run_id,
    startedAt: raw.started_at,
    endedAt: raw.ended_at,
    change: readJson(Change, raw.change, null) ?? undefined,
    ...(raw.child_id === null ? {} : { childId: raw.child_id }),
    edited: readJson(Edited, raw.edited, null) ?? undefined,
  })
  return parsed.success ? { ...parsed.data, providerCallId: raw.provider_call_id } : null
}

export const callsOf = createRowMemory<Raw, CallRow>({ table: 'calls', columns: '*', order: 'step', toRow })
