import type { ModelMessage, SystemModelMessage } from 'ai'
import { listMemo } from '../lib/list-memo'
import { weakMemo } from '../lib/weak-memo'
import type { HistoryEntry } from './types'

type ProviderOptions = NonNullable<SystemModelMessage['providerOptions']>
type ToolMessage = Extract<ModelMessage, { role: 'tool' }>
type ToolResult = Extract<HistoryEntry, { role: 'tool' }>['results'][number]

/** Other providers ignore it. */
const CACHE: ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/**
 * Stands behind an answer that broke off, where the model goes on with it: several models refuse a history that ends
 * with their own words. In the request only: it is neither stored nor shown, and the practice agent passes it over.
 */
export const GO_ON = 'Go on from where you were interrupted.'

/** What a model is told of a call of its own that nobody answered. */
const NOT_CARRIED_OUT = {
  success: false,
  error: 'This call was not carried out. Ask for it again if it is still needed.',
  error_code: 'cancelled',
}

/** One system message for each block that is not empty, each with a cache mark. */
export function toInstructions(blocks: readonly string[]): SystemModelMessage[] {
  return blocks
    .filter((block) => block.trim() !== '')
    .map((content) => ({ role: 'system', content, providerOptions: CACHE }))
}

/**
 * History as the provider package takes it, with a cache mark on the last message. Nothing given is changed, and the
 * messages of one call are a prefix of those of the next. Providers refuse a history in which a tool call has no
 * result: such a call gets one that says so, right after its answer.
 */
export function toMessages(history: readonly HistoryEntry[]): ModelMessage[] {
  const messages = [...plainMessages(history)]
  const last = messages.pop()
  if (last) messages.push(marked(last))
  return messages
}

/** The same without the mark: what is said, and nothing else. */
export const plainMessages = listMemo((entry: HistoryEntry, before, after): readonly ModelMessage[] =>
  entry.role === 'tool' ? resultsOf(entry, before) : said(entry, after?.role),
)

/**
 * What the model itself said. The package adds results of its own for calls that it can't read or doesn't know; the
 * caller answers every call, and providers refuse two results for one (older rows hold such).
 */
export function answersOnly<M extends { role: string }>(messages: readonly M[]): M[] {
  return messages.filter((message) => message.role === 'assistant')
}

/** The entries of a chat stay the same objects from call to call, and so do the messages. */
const said = weakMemo(
  (
    entry: Exclude<HistoryEntry, { role: 'tool' }>,
    next: HistoryEntry['role'] | undefined,
  ): ModelMessage[] => {
    if (entry.role === 'user') return [userMessage(entry.text)]
    const messages = answersOnly(entry.providerMessages as ModelMessage[])
    if (next === 'tool') return messages
    const results = toolMessage(unanswered(messages, []))
    const isBroken = results.length === 0 && next !== 'user'
    return [...messages, ...results, ...(isBroken ? [userMessage(GO_ON)] : [])]
  },
)

const resultsOf = weakMemo(
  (entry: Extract<HistoryEntry, { role: 'tool' }>, before: HistoryEntry | undefined): ModelMessage[] => {
    const calls = before?.role === 'assistant' ? (before.providerMessages as ModelMessage[]) : []
    return toolMessage([...entry.results, ...unanswered(calls, entry.results)])
  },
)

function userMessage(text: string): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function unanswered(messages: readonly ModelMessage[], results: readonly ToolResult[]): ToolResult[] {
  const answered = new Set(results.map((result) => result.providerCallId))
  return messages
    .flatMap((message) => (message.role === 'assistant' ? callsIn(message) : []))
    .filter((part) => part.providerExecuted !== true && !answered.has(part.toolCallId))
    .map(({ toolCallId, toolName }) => ({ providerCallId: toolCallId, toolName, value: NOT_CARRIED_OUT }))
}

function callsIn({ content }: Extract<ModelMessage, { role: 'assistant' }>) {
  return typeof content === 'string' ? [] : content.filter((part) => part.type === 'tool-call')
}

function toolMessage(results: readonly ToolResult[]): ToolMessage[] {
  if (results.length === 0) return []
  const content = results.map(({ providerCallId, toolName, value }) => ({
    type: 'tool-result' as const,
    toolCallId: providerCallId,
    toolName,
    output: { type: 'json' as const, value: (value ?? null) as never },
  }))
  return [{ role: 'tool', content }]
}

/** Answers of a model go back untouched: only messages of our own carry the mark. */
function marked(message: ModelMessage): ModelMessage {
  return message.role === 'assistant' ? message : { ...message, providerOptions: CACHE }
}
