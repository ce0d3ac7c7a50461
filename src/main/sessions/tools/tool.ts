import { z } from 'zod'
import type { CallState, Envelope } from '@shared/domain/session'
import type { CallRow } from '../../db/call-rows'
import type { SessionRow } from '../../db/session-rows'
import type { ToolSpec } from '../../llm/types'
import type { SessionDeps } from '../deps'

export interface ToolContext {
  deps: SessionDeps
  session: SessionRow
  call: CallRow
  signal: AbortSignal
}

/**
 * What a tool gives back. `record` writes rows and audit in the same transaction as the call's result; `waiting`
 * means that a request row exists and a person decides: nothing is held meanwhile.
 */
export type ToolOutcome =
  | { kind: 'result'; envelope: Envelope; state?: CallState; record?: () => void }
  | { kind: 'waiting' }

export interface Tool {
  spec: ToolSpec
  /** Checks the input by its schema, then does the work. */
  run(context: ToolContext, input: unknown): Promise<ToolOutcome>
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

/** Names what is wrong with an input, for the model. */
export function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  const where = issue?.path.join('.')
  return `${where ? `"${where}": ` : ''}${issue?.message ?? 'wrong input'}. Correct the input and call again.`
}
