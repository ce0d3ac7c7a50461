import type { CallPart, CatalogueFacts, ModelCall, PartTokens } from '@shared/domain/context'
import {
  endModelCall,
  insertModelCall,
  lastCallNumber,
  messageHashes,
  putTexts,
  type CallEnd,
} from '../../db/model-call-rows'
import type { Connection } from '../../db/open'
import { countCall, settleCall, uncountCall } from '../../db/usage-rows'
import { sha256 } from '../../lib/hash'
import { newId } from '../../lib/ids'
import { weakMemo } from '../../lib/weak-memo'
import { costOf } from '../../llm/cost'
import type { ModelUsage, ToolSpec, UsedByFailed } from '../../llm/types'
import type { SessionDeps } from '../deps'
import { toolsText, totalTokens, type Measured } from './measure'

/** What is kept of a call before it is made. */
export interface CallToKeep {
  sessionId: string
  kind: ModelCall['kind']
  messageId: string
  model: string
  blocks: readonly { part: CallPart; text: string }[]
  tools: readonly ToolSpec[]
  messages: readonly Measured[]
  catalogue: CatalogueFacts
  parts: PartTokens
  /** What the meter of the chat said of it. */
  meter: number
}

/** A call that is kept, until its end is known. */
export interface KeptCall {
  id: string
  model: string
  retries: number
}

/**
 * Keeps what a call sends (G6), in the transaction of the caller: every text once in its chat, and of the messages only
 * those that the call before did not have.
 */
export function keepCall(deps: Pick<SessionDeps, 'db' | 'now'>, call: CallToKeep): KeptCall {
  const { sql } = deps.db
  const texts = new Map<string, string>()
  const before = sentBefore(sql, call.sessionId)
  const put = (text: string) => {
    const hash = before.texts.get(text) ?? sha256(text)
    if (!before.texts.has(text)) texts.set(hash, text)
    beside.set(text, hash)
    return hash
  }
  const beside = new Map<string, string>()
  const hashes = call.messages.map(({ hash }) => hash)
  const kept = commonStart(before.hashes, hashes)
  for (const { hash, text } of call.messages.slice(kept)) texts.set(hash, text)
  const { sessionId, kind, messageId, model, parts, meter } = call
  const row = {
    id: newId('mc'),
    sessionId,
    number: before.number + 1,
    kind,
    messageId,
    model,
    blocks: call.blocks.map(({ part, text }): [CallPart, string] => [part, put(text)]),
    tools: put(toolsText(call.tools)),
    catalogue: put(factsText(call.catalogue)),
    kept,
    added: hashes.slice(kept),
    parts,
    meter,
    startedAt: deps.now(),
  }
  putTexts(sql, sessionId, texts)
  insertModelCall(sql, row)
  countCall(sql, { id: row.id, sessionId, model, inputTokens: totalTokens(parts), at: row.startedAt })
  noteSent(sql, sessionId, { number: row.number, hashes, texts: beside })
  return { id: row.id, model, retries: 0 }
}

/**
 * Writes down how a call ended and what it used, in the transaction of the caller. `used` left out: no provider worked
 * on it, so that it cost nothing (ADR 0064).
 */
export function endCall(
  { db, now }: Pick<SessionDeps, 'db' | 'now'>,
  { id, model, retries }: KeptCall,
  outcome: CallEnd['outcome'],
  used?: ModelUsage | UsedByFailed,
): void {
  const usage = used && countedUsage(used)
  const costUsd = usage ? costOf(usage, model) : null
  endModelCall(db.sql, id, { outcome, usage: usage ?? null, costUsd, retries, endedAt: now() })
  if (!used) return uncountCall(db.sql, id)
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = used
  const tokens = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }
  settleCall(db.sql, id, { ...tokens, estimated: !usage })
}

/** What the provider counted; null where it did not count all. */
export function countedUsage(used: ModelUsage | UsedByFailed): ModelUsage | null {
  if (!('estimated' in used)) return used
  const { estimated, inputTokens, ...rest } = used
  return estimated || inputTokens === null ? null : { ...rest, inputTokens }
}

const factsText = weakMemo((facts: CatalogueFacts) => JSON.stringify(facts))

interface Sent {
  number: number
  hashes: readonly string[]
  /** Instructions, tools and catalogue with their hashes: kept already. */
  texts: ReadonlyMap<string, string>
}

/** Chats whose last call is remembered; those of others are read again. */
const REMEMBERED = 20
const remembered = new WeakMap<Connection, Map<string, Sent>>()

/** Another program may have called a model in this chat: then what is remembered is old. */
function sentBefore(sql: Connection, sessionId: string): Sent {
  const number = lastCallNumber(sql, sessionId)
  const known = remembered.get(sql)?.get(sessionId)
  if (known?.number === number) return known
  return { number, hashes: messageHashes(sql, sessionId, number), texts: new Map() }
}

function noteSent(sql: Connection, sessionId: string, sent: Sent): void {
  const known = remembered.get(sql) ?? new Map<string, Sent>()
  remembered.set(sql, known)
  known.delete(sessionId)
  known.set(sessionId, sent)
  const oldest = known.keys().next().value
  if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
}

function commonStart(before: readonly string[], now: readonly string[]): number {
  const differs = now.findIndex((hash, at) => hash !== before[at])
  return differs === -1 ? now.length : differs
}
