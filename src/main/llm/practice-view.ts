import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { GO_ON } from './history'
import { learned, meaningOf, meanings, otherCatalogue } from './practice-dialect'

/** A skill as the catalogue in the instructions names it. */
export interface CatalogueEntry {
  name: string
  description: string
}

/** A skill whose body stands in the instructions. */
export interface ActiveBody {
  name: string
  body: string
}

/** The parts of a tool's envelope that are read here (`runtime.md` 3). */
export interface StepResult {
  success: boolean
  result: Record<string, unknown>
  error: string
  errorCode: string
}

/** A call that was made, with what came back. */
export interface Step {
  tool: string
  input: Record<string, unknown>
  result: StepResult
}

/** All that the practice agent knows: what stands in the prompt of this one call. */
export interface PracticeView {
  userText: string
  /** What the list names, and what a search has found. */
  catalogue: CatalogueEntry[]
  /** The list is not all of the skills, or there is none. */
  hasMore: boolean
  /** In load order. */
  active: ActiveBody[]
  /** The skill that the instructions say is tried here; null: none. */
  tried: string | null
  /** By what they mean: `skills_load` for every tool that loads a skill. */
  tools: ReadonlySet<string>
  /** Since the last message of the person. */
  round: Step[]
  earlier: Step[]
  /** Answers of the agent in the whole prompt, and since the last message of the person. */
  answers: number
  roundAnswers: number
}

/** Reads a prompt: catalogue and active skills from the instructions, steps from the messages. */
export function readPrompt({
  prompt,
  tools,
}: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>): PracticeView {
  const blocks = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  const functions = (tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool] : []))
  const descriptions = functions.map(({ description = '' }) => description)
  const { listed, hasMore, active, tried } = readInstructions(blocks.join('\n\n'), descriptions)
  const lastUser = prompt.findLastIndex((message) => message.role === 'user' && textOf(message) !== GO_ON)
  const round = prompt.slice(lastUser + 1)
  const earlier = prompt.slice(0, Math.max(0, lastUser))
  const steps = { round: stepsOf(round), earlier: stepsOf(earlier) }
  const { found, bodies } = learned([...steps.earlier, ...steps.round])
  return {
    userText: textOf(prompt[lastUser]),
    catalogue: [...listed, ...found.filter(({ name }) => !listed.some((entry) => entry.name === name))],
    hasMore,
    active: [...active.filter(({ name }) => !bodies.some((body) => body.name === name)), ...bodies],
    tried,
    tools: meanings(functions.map(({ name }) => name)),
    ...steps,
    answers: countAnswers(prompt),
    roundAnswers: countAnswers(round),
  }
}

const CATALOGUE_START = '\n<available_skills>\n'
const ACTIVE_START = '\n<active_skills>\n'

interface Instructions {
  listed: CatalogueEntry[]
  hasMore: boolean
  active: ActiveBody[]
  tried: string | null
}

/** A body may itself speak of these blocks: the catalogue stands before the first body, and is the last of its kind. */
function readInstructions(text: string, descriptions: readonly string[]): Instructions {
  const all = `\n${text}`
  const activeAt = all.search(/\n<active_skills>\n<skill name="/)
  const head = activeAt === -1 ? all : all.slice(0, activeAt + 1)
  const catalogueAt = head.lastIndexOf(CATALOGUE_START)
  const block = catalogueAt === -1 ? '' : head.slice(catalogueAt)
  const entries = [...readCatalogue(block), ...otherCatalogue(head, descriptions).map(unescaped)]
  return {
    listed: entries,
    hasMore: entries.length === 0 || /^ *\(\+\d+ more\b/m.test([head, ...descriptions].join('\n')),
    active: activeAt === -1 ? [] : readActive(all.slice(activeAt + ACTIVE_START.length)),
    tried: readTried(all),
  }
}

/** Stands behind the bodies, which can't close their block. */
function readTried(text: string): string | null {
  const rest = text.slice(text.lastIndexOf('\n</active_skills>') + 1)
  const [, name] = /^In this chat the skill "([^"\n]*)" is tried out:/m.exec(rest) ?? []
  return name === undefined ? null : unescape(name)
}

function unescaped({ name, description }: CatalogueEntry): CatalogueEntry {
  return { name: unescape(name), description: unescape(description) }
}

function readCatalogue(block: string): CatalogueEntry[] {
  const entries = block.matchAll(
    /<skill>\s*<name>([^<]*)<\/name>(?:\s*<description>([^<]*)<\/description>)?/g,
  )
  return Array.from(entries, ([, name = '', description = '']) => ({
    name: unescape(name),
    description: unescape(description),
  }))
}

function readActive(block: string): ActiveBody[] {
  const bodies = block.matchAll(/(?:^|\n)<skill name="([^"]*)"[^>]*>\n([\s\S]*?)\n<\/skill>/g)
  return Array.from(bodies, ([, name = '', body = '']) => ({ name: unescape(name), body }))
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" }

function unescape(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
}

function textOf(message: LanguageModelV4Message | undefined): string {
  if (message?.role !== 'user') return ''
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function countAnswers(messages: readonly LanguageModelV4Message[]): number {
  return messages.filter((message) => message.role === 'assistant').length
}

/** Calls in order, each with its result; a call without one is left out. */
function stepsOf(messages: readonly LanguageModelV4Message[]): Step[] {
  const parts = messages.flatMap((message) => (message.role === 'tool' ? message.content : []))
  const results = new Map(
    parts.flatMap((part) => (part.type === 'tool-result' ? [[part.toolCallId, part] as const] : [])),
  )
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.content : []))
  return calls.flatMap((part) => {
    const result = part.type === 'tool-call' ? results.get(part.toolCallId) : undefined
    if (part.type !== 'tool-call' || !result) return []
    const input = asRecord(part.input)
    const meant = meaningOf({ name: part.toolName, input }, valueOf(result.output))
    return [meant ?? { tool: part.toolName, input, result: toResult(result.output) }]
  })
}

function valueOf(output: LanguageModelV4ToolResultPart['output']): unknown {
  return 'value' in output ? output.value : null
}

function toResult(output: LanguageModelV4ToolResultPart['output']): StepResult {
  const value = valueOf(output)
  if (typeof value === 'string') return { success: true, result: { text: value }, error: '', errorCode: '' }
  const envelope = asRecord(value)
  return {
    success: envelope['success'] === true,
    result: asRecord(envelope['result'] ?? envelope['partial']),
    error: text(envelope['error']),
    errorCode: text(envelope['error_code']),
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
