import type { ToolCall } from '@shared/domain/session'
import { errorWords } from './error-words'
import type { StepView } from './steps'

/** The verb while it is under way, when it was done, and when it ended before that. */
export function progress({ state }: ToolCall, [now, done, not]: [string, string, string]): string {
  if (state === 'done') return done
  return state === 'cancelled' || state === 'interrupted' ? not : now
}

export function failure(call: ToolCall, verb: string, object: string): StepView {
  return {
    kind: 'error',
    state: call.envelope?.error_code ?? 'failed',
    verb,
    object,
    detail: whatWentWrong(call),
    cost: '',
  }
}

export function whatWentWrong({ envelope }: ToolCall): string {
  return errorWords(envelope?.error_code ?? 'internal', envelope?.error ?? '')
}
