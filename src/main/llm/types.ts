import type { Thinking } from '@shared/domain/agent'
import type { ModelRef } from '@shared/domain/settings'
import type { Usage } from '@shared/domain/session'

/** One tool as a model sees it. `parameters` is a JSON Schema. */
export interface ToolSpec {
  name: string
  description: string
  parameters: Record<string, unknown>
}

/**
 * History as the model gets it. `assistant` entries hold what the provider itself returned, opaque: signatures and
 * reasoning must go back as they came (`dependencies.md` 2).
 */
export type HistoryEntry =
  | { role: 'user'; text: string }
  | { role: 'assistant'; providerMessages: unknown[] }
  | { role: 'tool'; results: { providerCallId: string; toolName: string; value: unknown }[] }

export interface LlmRequest {
  model: ModelRef
  /** Two blocks, each a cache mark: rules with catalogue, and active skills. Empty texts are left out. */
  instructions: string[]
  history: readonly HistoryEntry[]
  tools: ToolSpec[]
  maxOutputTokens: number
  /** How much it should think, where it can be told; left out: as the model does by itself. */
  thinking?: Thinking
  signal: AbortSignal
  /** Told when a try brought nothing and the call waits for the next one. */
  onRetry?: (retry: Retry) => void
}

/** A wait before another try: nothing of an answer has arrived. */
export interface Retry {
  /** Milliseconds from now. */
  inMs: number
  /** Why, in words for people, without a full stop: "Anthropic is busy". */
  reason: string
}

/** Tokens of one call. The parts are left out where the provider counted none. */
export interface ModelUsage extends Usage {
  /** Part of `inputTokens` that came from the provider's cache. */
  cacheReadTokens?: number
  /** Part of `inputTokens` that was put into it. */
  cacheWriteTokens?: number
  /** Part of `outputTokens` that was reasoning. */
  reasoningTokens?: number
}

/** What a call used that did not end well. */
export interface UsedByFailed extends Omit<ModelUsage, 'inputTokens'> {
  /** Null: it was sent, and the provider did not say how much it counted. */
  inputTokens: number | null
  /** The provider did not count all of it. */
  estimated: boolean
}

export interface LlmError {
  /**
   * `auth`, `billing`, `rate_limit`, `unavailable`, `bad_response`, `not_found`, `context_length`, `connection`, `tls`,
   * `redirect`, `timeout`, `refused`, `no_key`, `provider`.
   */
  code: string
  /** What failed and why, for people. */
  message: string
  /** What to do, one sentence. */
  action: string
}

/** The stream never throws: a failure is its last event, with what arrived before kept. */
export type LlmEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** Arrives only complete: after the finish event, parsed. `input` is undefined when the arguments were not valid JSON. */
  | {
      type: 'tool-call'
      providerCallId: string
      name: string
      input: Record<string, unknown> | undefined
      raw: string
    }
  | { type: 'done'; providerMessages: unknown[]; usage: ModelUsage; cut: boolean }
  /** `used` of these two is left out where no provider worked on the call. */
  | { type: 'stopped'; used?: UsedByFailed }
  | { type: 'error'; error: LlmError; used?: UsedByFailed }

/** One model call. Instructions are composed anew by the caller for each. */
export interface Llm {
  stream(request: LlmRequest): AsyncIterable<LlmEvent>
  /** Tokens that the model's window holds; a careful guess for unknown models. */
  contextWindow(model: ModelRef): number
  /** It answers on this computer: there is nothing to pay. */
  isLocal(model: ModelRef): boolean
  /** Models that are set up and can be called now. */
  models(): ModelRef[]
}
