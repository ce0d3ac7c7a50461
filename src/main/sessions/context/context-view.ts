import { CatalogueFacts, type CallContext, type CallPart, type ModelCall } from '@shared/domain/context'
import { AppError } from '@shared/errors'
import { estimateTokens } from '@shared/tokens'
import { z } from 'zod'
import { readJson } from '../../db/json-column'
import {
  getModelCall,
  getText,
  listModelCalls,
  messageHashes,
  type EndedCallRow,
} from '../../db/model-call-rows'
import type { Connection } from '../../db/open'
import type { SessionRow } from '../../db/session-rows'
import { cutText } from '../../lib/well-formed'
import type { ToolSpec } from '../../llm/types'
import { catalogueFacts } from '../instructions/catalogue-facts'
import { chatRows, composeCall, type ChatRows } from '../instructions/compose-call'
import type { ComposeDeps, SessionDeps } from '../deps'
import { measure, totalTokens, type Measured, type SentMessage } from './measure'
import { isCounted } from './meter'
import { need } from '../turn/turn'

/** Characters of a message that the page gets before somebody asks for all of it. */
const START = 400

/** What a model was sent (G6). A `number` of null means the next call, which was not made. Throws `not_found`. */
export interface Contexts {
  /** The calls of a chat, the first one first. */
  list(sessionId: string): ModelCall[]
  get(sessionId: string, number: number | null): Promise<CallContext>
  /** The whole text of one message of a call, by its place. */
  message(sessionId: string, number: number | null, index: number): Promise<string>
}

export function createContexts(deps: SessionDeps): Contexts {
  const { db, inTurn, llm } = deps
  const isRunning = (sessionId: string) => inTurn.has(sessionId)
  return {
    list(sessionId) {
      const { id } = need(deps, sessionId)
      return listModelCalls(db.sql, id).map((row) => toCall(row, isRunning(id)))
    },
    async get(sessionId, number) {
      const session = need(deps, sessionId)
      if (number === null) return nextContext(deps, session, chatRows(deps, sessionId), START)
      const ref = { sessionId, number, window: llm.contextWindow, isRunning: isRunning(sessionId) }
      return keptContext(db.sql, ref, START)
    },
    async message(sessionId, number, index) {
      const session = need(deps, sessionId)
      const text =
        number === null
          ? (await composeCall(deps, session, chatRows(deps, sessionId))).messages[index]?.text
          : getText(db.sql, sessionId, messageHashes(db.sql, sessionId, number)[index] ?? '')
      if (!text) throw new AppError('not_found', 'This message is not part of that call.')
      return pretty(text)
    },
  }
}

/** The call that would be made now; of messages at most so many characters. */
export async function nextContext(
  deps: ComposeDeps,
  session: SessionRow,
  rows: ChatRows,
  limit = Infinity,
): Promise<CallContext> {
  const { blocks, catalogue, messages, model, parts, tools } = await composeCall(deps, session, rows)
  return {
    call: null,
    model,
    parts,
    window: deps.llm.contextWindow(model),
    tokens: totalTokens(parts),
    blocks: blocks.map(toBlock),
    tools: tools.map(toTool),
    messages: messages.map((message) => toMessage(message, limit)),
    catalogue: catalogueFacts(deps, session, catalogue),
  }
}

/** Which kept call is meant. */
export interface KeptCallRef {
  sessionId: string
  number: number
  /** Tokens that the window of a model holds. */
  window(model: string): number
  /** A turn of the chat is under way: what has no end may still get one. */
  isRunning: boolean
}

/** What a call was sent; of messages at most so many characters. Throws `not_found`. */
export function keptContext(sql: Connection, ref: KeptCallRef, limit = Infinity): CallContext {
  const { sessionId, number, isRunning } = ref
  const row = needCall(sql, sessionId, number)
  const textOf = (hash: string) => getText(sql, sessionId, hash)
  const tools = readJson(z.array(z.looseObject({ name: z.string() })), textOf(row.tools), [])
  const call = toCall(row, isRunning)
  return {
    call,
    model: row.model,
    parts: row.parts,
    window: ref.window(row.model),
    tokens: call.tokens,
    blocks: row.blocks.map(([part, hash]) => toBlock({ part, text: textOf(hash) })),
    tools: tools.map((tool) => toTool(tool as unknown as ToolSpec)),
    messages: messageHashes(sql, sessionId, number).map((hash) =>
      toMessage(measuredAgain(textOf(hash)), limit),
    ),
    catalogue: readJson(CatalogueFacts, textOf(row.catalogue), NO_CATALOGUE),
  }
}

function needCall(sql: Connection, sessionId: string, number: number): EndedCallRow {
  const row = getModelCall(sql, sessionId, number)
  if (!row) throw new AppError('not_found', `There is no call ${number} in this chat.`)
  return row
}

/** One that has no end is under way, or its program ended before it did. */
function toCall(row: EndedCallRow, isRunning: boolean): ModelCall {
  const { number, kind, messageId, model, startedAt, endedAt, retries, parts, costUsd } = row
  return {
    number,
    kind,
    messageId,
    model,
    startedAt,
    endedAt,
    retries,
    parts,
    usage: isCounted(model, row.usage) ? row.usage : null,
    costUsd,
    outcome: row.outcome ?? (isRunning ? 'open' : 'interrupted'),
    tokens: totalTokens(parts),
  }
}

function toBlock({ part, text }: { part: CallPart; text: string }): CallContext['blocks'][number] {
  return { part, text, tokens: estimateTokens(text) }
}

function toTool(tool: ToolSpec): CallContext['tools'][number] {
  return {
    name: tool.name,
    text: JSON.stringify(tool, null, 2),
    tokens: estimateTokens(JSON.stringify(tool)),
  }
}

function toMessage({ role, text, tokens }: Measured, limit: number): CallContext['messages'][number] {
  const whole = pretty(text)
  const cut = whole.length > limit
  return { role, tokens, cut, text: cut ? cutText(whole, limit) : whole }
}

function measuredAgain(text: string): Measured {
  return measure(readJson(KeptMessage, text, { role: 'user', content: '' }))
}

const KeptMessage = z.object({ role: z.string(), content: z.unknown() })

/** A message of text alone is shown as its text, any other as JSON. */
function pretty(text: string): string {
  const { content } = JSON.parse(text) as SentMessage
  if (typeof content === 'string') return content
  const parts = content as { type?: unknown; text?: unknown }[]
  const isText = parts.every(({ type, text: said }) => type === 'text' && typeof said === 'string')
  return isText ? parts.map(({ text: said }) => String(said)).join('\n') : JSON.stringify(content, null, 2)
}

const NO_CATALOGUE: CatalogueFacts = {
  entries: 0,
  omitted: 0,
  descriptions: 'full',
  shown: [],
  left: [],
  more: 0,
}
