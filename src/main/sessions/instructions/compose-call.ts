import type { PartTokens } from '@shared/domain/context'
import type { ModelRef } from '@shared/domain/settings'
import { listCalls, type CallRow } from '../../db/call-rows'
import { listMessages, type MessageRow } from '../../db/message-rows'
import type { SessionRow } from '../../db/session-rows'
import { wellFormed } from '../../lib/well-formed'
import { plainMessages } from '../../llm/history'
import type { HistoryEntry, ToolSpec } from '../../llm/types'
import { coreSpecs } from '../turn/call-step'
import type { Catalogue } from './catalogue'
import { nextCall } from './compose'
import type { ComposeDeps } from '../deps'
import { toHistory } from '../history/history'
import { bodyCalls, measureAll, partTokens, type Measured } from '../context/measure'
import type { InstructionPart } from './prompt'
import { asSeen } from '../styles/model-view'

/** All that one model call sends, with what it costs. */
export interface ComposedCall {
  model: ModelRef
  /** One text for each cache mark. */
  instructions: string[]
  /** The same by block. */
  blocks: InstructionPart[]
  history: readonly HistoryEntry[]
  /** The history as it is sent. */
  messages: readonly Measured[]
  tools: ToolSpec[]
  catalogue: Catalogue
  /** Estimated. */
  parts: PartTokens
}

/** The rows of a chat, where they are known already. */
export interface ChatRows {
  calls: readonly CallRow[]
  messages: readonly MessageRow[]
}

export function chatRows({ db }: Pick<ComposeDeps, 'db'>, sessionId: string): ChatRows {
  return { calls: listCalls(db.sql, sessionId), messages: listMessages(db.sql, sessionId) }
}

/** Composes the call that this chat would make now; nothing is kept or sent. */
export async function composeCall(
  deps: ComposeDeps,
  session: SessionRow,
  rows: ChatRows,
): Promise<ComposedCall> {
  const { calls } = rows
  const next = await nextCall(deps, session, calls, rows.messages)
  const history = asSeen(toHistory(rows.messages, calls))
  const messages = measureAll(withoutGoOn(history, rows.messages))
  const tools = next.tools(coreSpecs(deps), calls.length > 0)
  const { catalogue } = next
  const listInTool = next.style.listIn === 'tool' ? catalogue.tokens : 0
  const blocks = next.parts.map(({ part, text }) => ({ part, text: wellFormed(text) }))
  const bodies = bodyCalls(session, calls)
  return {
    model: session.model,
    instructions: next.texts,
    blocks,
    history,
    messages,
    tools,
    catalogue,
    parts: partTokens({ parts: blocks, listInTool, tools, messages, bodies }),
  }
}

/**
 * The history as it is sent. Behind an answer that came to its end the next call has the person's words, not the ones
 * that let a model go on with an answer that broke off.
 */
function withoutGoOn(history: readonly HistoryEntry[], rows: readonly MessageRow[]) {
  const sent = plainMessages(history)
  const last = rows.findLast(({ role }) => role !== 'note')
  const hasEnded = last?.role === 'assistant' && (last.status === 'done' || last.status === 'stopped')
  const isAdded = history.at(-1)?.role === 'assistant' && sent.at(-1)?.role === 'user'
  return hasEnded && isAdded ? sent.slice(0, -1) : sent
}
