import { z } from 'zod'
import type { FileChange } from '@shared/domain/file-change'
import type { CallState, Envelope } from '@shared/domain/session'
import type { CallRow } from '../../db/call-rows'
import type { SessionRow } from '../../db/session-rows'
import type { ToolSpec } from '../../llm/types'
import type { NewRequest } from '../../approvals/broker'
import type { SessionDeps } from '../deps'
import type { Asked } from '../requests/new-request'

export interface ToolContext {
  deps: SessionDeps
  session: SessionRow
  call: CallRow
  signal: AbortSignal
}

/**
 * What a tool gives back; `change` is what it wrote into a file. `record` writes rows and audit in the same transaction as the call's result; `waiting`
 * means that a request row exists and a person decides: nothing is held meanwhile.
 */
export type ToolOutcome =
  | { kind: 'result'; envelope: Envelope; state?: CallState; change?: FileChange; record?: () => void }
  | { kind: 'waiting' }

export interface Tool {
  spec: ToolSpec
  /** Checks the input by its schema, then does the work. */
  run(context: ToolContext, input: unknown): Promise<ToolOutcome>
  /** Of a tool that asks: the request as it would be now, to compare with the one that a person answers. */
  prepare?(asked: Asked, input: unknown): Promise<NewRequest>
}

/** A tool whose input is checked before its work begins; a wrong input becomes `bad_input` for the model. */
export function defineTool<S extends z.ZodType>(
  definition: { name: string; description: string; input: S },
  work: (context: ToolContext, input: z.output<S>) => Promise<ToolOutcome>,
): Tool & { input: S } {
  return {
    input: definition.input,
    spec: {
      name: definition.name,
      description: definition.description,
      parameters: z.toJSONSchema(definition.input, { io: 'input' }),
    },
    run: (context, input) => work(context, definition.input.parse(input)),
  }
}

/** Says what is wrong with an input, in the words of S4, "Error Handling", and what to do. */
export function describeIssue(error: z.ZodError, input: unknown): string {
  const [issue] = error.issues
  return `${issue ? wrongIn(issue, input) : 'Wrong input'}. Correct the input and call again.`
}

function wrongIn(issue: z.core.$ZodIssue, input: unknown): string {
  const where = issue.path.join('.')
  if (issue.code !== 'invalid_type') return `${where ? `"${where}": ` : ''}${plainWords(issue)}`
  const value = issue.path.reduce<unknown>(
    (holder, key) => (holder as Record<PropertyKey, unknown> | null | undefined)?.[key],
    input,
  )
  if (value === undefined) return `Missing required parameter: ${where}`
  const type = `Invalid parameter type: expected ${issue.expected}, got ${typeName(value)}`
  return where === '' ? type : `${type} for "${where}"`
}

/** Sizes and choices in words; what else can be wrong says itself. */
function plainWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small')
    return `it must ${sizeWords(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`
  if (issue.code === 'too_big')
    return `it must ${sizeWords(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`
  if (issue.code === 'invalid_value') return `it must be one of ${issue.values.map(String).join(', ')}`
  return issue.message
}

function sizeWords(origin: string, bound: string, size: number | bigint): string {
  const noun = { array: 'item', string: 'character' }[origin]
  if (noun === undefined) return `be ${bound} ${size}`
  return `have ${bound} ${size} ${noun}${Number(size) === 1 ? '' : 's'}`
}

/** The types as JSON Schema names them. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
