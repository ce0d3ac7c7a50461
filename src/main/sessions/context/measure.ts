import type { PartTokens } from '@shared/domain/context'
import { estimateTokens } from '@shared/tokens'
import type { CallRow } from '../../db/call-rows'
import type { SessionRow } from '../../db/session-rows'
import { sha256 } from '../../lib/hash'
import { commonStart, listMemo } from '../../lib/list-memo'
import { weakMemo } from '../../lib/weak-memo'
import type { ToolSpec } from '../../llm/types'
import type { InstructionPart } from '../instructions/prompt'
import { findStyleTool } from '../styles/all'
import { holdsBody } from '../styles/model-view'

/** A message as the provider package gets it. */
export interface SentMessage {
  role: string
  content: unknown
}

/** A message with its text as it is kept. */
export interface Measured {
  /** JSON of the message. */
  text: string
  hash: string
  role: string
  tokens: number
  pieces: readonly Piece[]
}

/** A part of a message. */
interface Piece {
  tokens: number
  /** The tool whose result it is, with the call; null for all others. */
  result: { tool: string; providerCallId: string } | null
}

/** What a call is made of, as far as it is counted. */
export interface Countable {
  parts: readonly InstructionPart[]
  /** The catalogue, where a tool's description holds it; else 0. */
  listInTool: number
  tools: readonly ToolSpec[]
  messages: readonly Measured[]
  /** Calls whose result is the text of a skill that is active. */
  bodies: ReadonlySet<string>
}

/** Tokens of a message, estimated; the same message is counted once. */
export const measure = weakMemo((message: SentMessage): Measured => {
  const text = JSON.stringify(message)
  const hash = sha256(text)
  const pieces = remember(hash, () => piecesOf(message.content))
  const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, 0)
  return { text, hash, role: message.role, tokens, pieces }
})

/** The same of the messages of a chat. */
export const measureAll = listMemo((message: SentMessage) => [measure(message)])

/** Estimated tokens by part (G6). */
export function partTokens({ parts, listInTool, tools, messages, bodies }: Countable): PartTokens {
  const sums = new Map<keyof PartTokens, number>()
  const add = (part: keyof PartTokens, tokens: number) => {
    if (tokens > 0) sums.set(part, (sums.get(part) ?? 0) + tokens)
  }
  for (const { part, text } of parts) add(part, knownTokens(text))
  add('catalogue', listInTool)
  if (tools.length > 0) add('tool-list', knownTokens(toolsText(tools)) - listInTool)
  for (const [part, tokens] of saidTokens(messages, bodies)) add(part, tokens)
  return Object.fromEntries(sums)
}

/** JSON of the tools of a call; they stay the same objects from call to call. */
export function toolsText(tools: readonly ToolSpec[]): string {
  const [first, ...others] = tools
  return first ? textOfTools(first, ...others) : '[]'
}

const textOfTools = weakMemo((...tools: [ToolSpec, ...ToolSpec[]]) => JSON.stringify(tools))

type Sums = ReadonlyMap<keyof PartTokens, number>

/**
 * Sums over what was said. A chat only grows at its end: what was added up before is gone on with, and what stands at
 * the end no more is taken off again (tokens are whole numbers).
 */
function saidTokens(messages: readonly Measured[], bodies: ReadonlySet<string>): Sums {
  const [first] = messages
  if (!first) return new Map()
  const key = [...bodies].join(' ')
  const last = added.get(first)
  const known = last?.key === key ? last : { messages: [], sums: new Map<keyof PartTokens, number>() }
  const same = commonStart(known.messages, messages)
  const sums = new Map(known.sums)
  const add = (some: readonly Measured[], sign: 1 | -1) => {
    for (const piece of some.flatMap(({ pieces }) => pieces)) {
      const part = partOf(piece, bodies)
      sums.set(part, (sums.get(part) ?? 0) + sign * piece.tokens)
    }
  }
  add(known.messages.slice(same), -1)
  add(messages.slice(same), 1)
  added.set(first, { key, messages, sums })
  return sums
}

const added = new WeakMap<Measured, { key: string; messages: readonly Measured[]; sums: Sums }>()

export function totalTokens(parts: PartTokens): number {
  return Object.values(parts).reduce((sum, tokens) => sum + tokens, 0)
}

/** Calls whose result holds the text of a skill that is active now. */
export function bodyCalls(session: SessionRow, calls: readonly CallRow[]): Set<string> {
  const steps = new Set(session.activeSkills.map(({ step }) => step))
  const held = calls.filter((call) => steps.has(call.step) && holdsBody(call))
  return new Set(held.map(({ providerCallId }) => providerCallId))
}

function partOf({ result }: Piece, bodies: ReadonlySet<string>): keyof PartTokens {
  if (result === null) return 'conversation'
  if (bodies.has(result.providerCallId)) return 'active'
  return readsSkills(result.tool) ? 'files-read' : 'conversation'
}

/** True for `skills_read` and the tools of styles that become it. */
function readsSkills(tool: string): boolean {
  return tool === 'skills_read' || findStyleTool(tool)?.tool.over.includes('skills_read') === true
}

function piecesOf(content: unknown): Piece[] {
  if (!Array.isArray(content)) return [{ tokens: estimateTokens(asText(content)), result: null }]
  return content.map((part: Record<string, unknown>) => ({ tokens: tokensOf(part), result: resultIn(part) }))
}

function tokensOf(part: Record<string, unknown>): number {
  if (typeof part['text'] === 'string') return estimateTokens(part['text'])
  const { input, output } = part
  const value = (output as { value?: unknown } | undefined)?.value ?? input ?? part
  return estimateTokens(asText(value))
}

function resultIn({ type, toolName, toolCallId }: Record<string, unknown>): Piece['result'] {
  if (type !== 'tool-result') return null
  return { tool: String(toolName), providerCallId: String(toolCallId) }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Instructions and tools are the same from call to call. */
const TEXTS = 100
const texts = new Map<string, number>()

function knownTokens(text: string): number {
  const tokens = texts.get(text) ?? estimateTokens(text)
  texts.set(text, tokens)
  const oldest = texts.keys().next().value
  if (texts.size > TEXTS && oldest !== undefined) texts.delete(oldest)
  return tokens
}

/** Messages that were counted lately: those of a few long chats. */
const REMEMBERED = 50_000
const counted = new Map<string, readonly Piece[]>()

function remember(hash: string, count: () => Piece[]): readonly Piece[] {
  const known = counted.get(hash)
  if (known) return known
  const pieces = count()
  counted.set(hash, pieces)
  const oldest = counted.keys().next().value
  if (counted.size > REMEMBERED && oldest !== undefined) counted.delete(oldest)
  return pieces
}
