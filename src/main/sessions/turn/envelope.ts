import type { Envelope } from '@shared/domain/session'
import { AppError, isNoSpace } from '@shared/errors'
import { estimateTokens } from '@shared/tokens'

/** Codes that a model sees (`runtime.md` 3). */
export type ToolErrorCode =
  | 'bad_input'
  | 'not_found'
  | 'ambiguous'
  | 'no_active_skill'
  | 'limit'
  | 'cycle'
  | 'depth'
  | 'not_for_models'
  | 'not_trusted'
  | 'blocked_by_policy'
  | 'tool_not_allowed'
  | 'path_escape'
  | 'too_large'
  | 'no_interpreter'
  | 'denied'
  | 'expired'
  | 'stale'
  | 'cancelled'
  | 'sandbox_failed'
  | 'timed_out'
  | 'killed'
  | 'interrupted'
  | 'hook_failed'
  | 'provider'
  | 'internal'

const BASE = { duration_ms: 0, tokens_used: 0, cost_usd: 0, cached: false, retry_count: 0 }

export function succeeded(result: unknown): Envelope {
  return { success: true, result, ...BASE, tokens_used: estimateTokens(JSON.stringify(result) ?? '') }
}

/** `error` tells the model what to do next. `partial` holds the output so far of a run that did not end by itself. */
export function failed(code: ToolErrorCode, error: string, partial?: unknown): Envelope {
  return { success: false, error, error_code: code, ...(partial === undefined ? {} : { partial }), ...BASE }
}

/** What a thrown error becomes for the model. Unknown ones keep their text to themselves. */
export function failedBy(error: unknown): Envelope {
  if (isNoSpace(error)) return failed('internal', 'The disk is full. Tell the person to free some space.')
  if (!(error instanceof AppError))
    return failed('internal', 'Satchel hit an error of its own. Tell the person.')
  if (error.details?.['gate']) return failed('tool_not_allowed', error.message)
  return failed(TOOL_CODES.has(error.code) ? (error.code as ToolErrorCode) : 'internal', error.message)
}

const TOOL_CODES = new Set<string>([
  'bad_input',
  'not_found',
  'not_trusted',
  'blocked_by_policy',
  'path_escape',
  'too_large',
  'no_interpreter',
  'stale',
  'cancelled',
  'sandbox_failed',
])
