import type { CallRow } from '../../db/call-rows'
import type { MessageRow } from '../../db/message-rows'
import { cutText } from '../../lib/well-formed'
import { plainMessages } from '../../llm/history'
import { CHAT_END, CHAT_START } from '../../llm/summarise'
import type { HistoryEntry } from '../../llm/types'
import { isOpen } from '../turn/call-step'
import type { ChatRows } from '../instructions/compose-call'
import { closeSafely } from '../instructions/escape'
import { compactionIn, toHistory } from './history'
import { measure } from '../context/measure'
import { asSeen } from '../styles/model-view'

/** What is summarised of a chat, and what stays as it is. */
export interface CompactionPlan {
  /** Sent from now on as a summary, the earlier summary with them. */
  older: MessageRow[]
  /** The last message of these. */
  upTo: number
  /** Older messages that stay word for word, for the text of a skill in their results. */
  kept: string[]
  /** Estimated tokens of what is summarised. */
  before: number
}

/** Messages from the end on that stay are at most this part of the window. */
const TAIL_SHARE = 0.2
/** And at most so many messages of the person are among them. */
const TAIL_TURNS = 2

/**
 * What can be summarised now (R20), or null when that is nothing: the last messages stay, and so do those whose calls
 * are not over, as they wait for a person. `bodies` are calls whose result is the text of an active skill.
 */
export function planCompaction(
  { messages, calls }: ChatRows,
  { bodies, window }: { bodies: ReadonlySet<string>; window: number },
): CompactionPlan | null {
  const last = compactionIn(messages)
  const sent = messages.filter(({ parts, seq, status }) => {
    const isSummary = parts.some(({ type }) => type === 'compaction')
    return !isSummary && status !== 'queued' && seq > (last?.part.upTo ?? 0)
  })
  const older = sent.slice(0, tailStart(sent, calls, window * TAIL_SHARE))
  const end = older.at(-1)
  if (!end || toHistory(older, calls).length < 2) return null
  const kept = keptUpTo({ messages, calls }, bodies, end.seq)
  const all = last ? [last.message, ...older] : older
  return { older: all, upTo: end.seq, kept, before: tokensOf(all, calls) }
}

/** Messages up to there that a summary must leave whole, for the text of an active skill in their results. */
export function keptUpTo({ messages, calls }: ChatRows, bodies: ReadonlySet<string>, upTo: number): string[] {
  const held = calls.filter(({ providerCallId }) => bodies.has(providerCallId))
  const holders = new Set(held.map(({ messageId }) => messageId))
  return messages.filter(({ id, seq }) => seq <= upTo && holders.has(id)).map(({ id }) => id)
}

/** Estimated tokens that these messages cost in a request. */
export function tokensOf(messages: readonly MessageRow[], calls: readonly CallRow[]): number {
  return plainMessages(asSeen(toHistory(messages, calls))).reduce(
    (sum, message) => sum + measure(message).tokens,
    0,
  )
}

/** Where what stays begins: as far back as there is room, and never behind a call that is not over. */
function tailStart(sent: readonly MessageRow[], calls: readonly CallRow[], room: number): number {
  const open = new Set(calls.filter(isOpen).map(({ messageId }) => messageId))
  const owed = sent.findLastIndex(({ role, status }) => role !== 'note' && status !== 'error')
  let start = isOwed(sent[owed]) ? owed : sent.length
  let tokens = 0
  let turns = 0
  for (let at = sent.length - 1; at >= 0; at -= 1) {
    const message = sent[at]!
    tokens += tokensOf([message], calls)
    if (open.has(message.id)) start = at
    else if (tokens > room) break
    turns += message.role === 'user' ? 1 : 0
    start = Math.min(start, at)
    if (turns === TAIL_TURNS) break
  }
  const firstOpen = sent.findIndex(({ id }) => open.has(id))
  if (firstOpen !== -1) start = Math.min(start, firstOpen)
  // What a person did is told with their next words.
  while (sent[start - 1]?.role === 'note') start -= 1
  return start
}

/** What the next call answers: summarised, it would be no question any more. */
function isOwed(message: MessageRow | undefined): boolean {
  return message?.role === 'user' || message?.parts.some(({ type }) => type === 'tool') === true
}

/** Characters that one message may have, tried in this order until all fit. */
const LIMITS = [20_000, 4000, 1000, 300]

/** The chat as text for the model that summarises it: shortened until it fits, the oldest left out at the end. */
export function chatText(plan: CompactionPlan, calls: readonly CallRow[], maxTokens: number): string {
  const lines = asSeen(toHistory(plan.older, calls)).flatMap(linesOf)
  for (const limit of LIMITS) {
    const text = write(lines.map((line) => shorten(line, limit)))
    if (fits(text, maxTokens)) return text
  }
  const short = lines.map((line) => shorten(line, LIMITS.at(-1)!))
  while (short.length > 1 && !fits(write(short), maxTokens)) short.splice(0, Math.ceil(short.length / 10))
  return write([`(${lines.length - short.length} older entries are left out)`, ...short])
}

function write(lines: readonly string[]): string {
  return `${CHAT_START}\n${lines.join('\n')}\n${CHAT_END}`
}

function fits(text: string, maxTokens: number): boolean {
  return measure({ role: 'user', content: text }).tokens <= maxTokens
}

function shorten(line: string, limit: number): string {
  if (line.length <= limit) return line
  const half = Math.floor(limit / 2)
  return `${cutText(line, half)} […] ${line.slice(-half)}`
}

function linesOf(entry: HistoryEntry): string[] {
  if (entry.role === 'user') return [`Person: ${closeSafely(entry.text)}`]
  if (entry.role === 'tool')
    return entry.results.map(({ toolName, value }) => said(`Result of ${toolName}`, value))
  return (entry.providerMessages as { content?: unknown }[]).flatMap(({ content }) => {
    if (typeof content === 'string') return [said('Agent', content)]
    return Array.isArray(content) ? content.flatMap(partLines) : []
  })
}

/** Reasoning is left out: what came of it was said or called. */
function partLines({ type, text, toolName, input }: Record<string, unknown>): string[] {
  if (type === 'text') return [said('Agent', text)]
  return type === 'tool-call' ? [said('Call', `${String(toolName)} ${JSON.stringify(input)}`)] : []
}

function said(who: string, what: unknown): string {
  return `${who}: ${closeSafely(typeof what === 'string' ? what : (JSON.stringify(what) ?? ''))}`
}
