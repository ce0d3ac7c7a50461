import type { LanguageModelV4 } from '@ai-sdk/provider'
import { jsonSchema, streamText, type FinishReason, type TextStreamPart, type ToolSet } from 'ai'
import { estimateTokens } from '@shared/tokens'
import type { Log } from '../lib/log'
import {
  cutOff,
  describeError,
  emptyAnswer,
  refusedByProvider,
  sameCallId,
  type Callee,
} from './describe-error'
import { createEarlyUsage, type EarlyUsage } from './early-usage'
import { createGuardedFetch, type GuardedFetchDeps } from './guarded-fetch'
import { answersOnly, toInstructions, toMessages } from './history'
import { findModel, isLocal, limitsOf, readyModels, type FoundModel, type ModelsDeps } from './models'
import type { Providers } from './provider-settings'
import { retryReason } from './retry'
import { realTiming, type Timing } from './timing'
import type { Llm, LlmEvent, LlmRequest, ModelUsage, ToolSpec, UsedByFailed } from './types'
import { untilAborted } from './until-aborted'
import { usageOf } from './usage'

export interface LlmDeps {
  providers: Pick<Providers, 'config' | 'key' | 'list'>
  /** The practice agent. */
  practice: LanguageModelV4
  fetch: typeof fetch
  log: Log
  /** For tests; the real clock otherwise. */
  timing?: Timing
}

/** The model layer: one `streamText` for each call, without tools of its own; the loop is the caller's. */
export function createLlm(deps: LlmDeps): Llm {
  globalThis.AI_SDK_LOG_WARNINGS = false
  const { providers, practice, log, timing = realTiming } = deps
  const modelsFor: ModelsFor = (told) => ({
    providers,
    practice,
    fetch: createGuardedFetch({ fetch: deps.fetch, timing, log, ...told }),
  })
  return {
    stream: (request) => streamCall(modelsFor, log, request),
    models: () => readyModels(providers),
    contextWindow: (ref) => limitsOf({ providers }, ref).contextWindow,
    isLocal: (ref) => isLocal({ providers }, ref),
  }
}

type ModelsFor = (told: Required<Pick<GuardedFetchDeps, 'onWait' | 'follower'>>) => ModelsDeps

async function* streamCall(modelsFor: ModelsFor, log: Log, request: LlmRequest): AsyncGenerator<LlmEvent> {
  const early = createEarlyUsage()
  const models = modelsFor({
    onWait(status, inMs) {
      if ('callee' in found) request.onRetry?.({ inMs, reason: retryReason(status, found.callee) })
    },
    follower: early,
  })
  const found = findModel(models, request.model, request.thinking)
  if ('error' in found) {
    yield { type: 'error', error: found.error }
    return
  }
  const over = new AbortController()
  const answer: Answer = {
    early,
    arrived: [],
    said: false,
    calls: [],
    raw: new Map(),
    finish: null,
    isRead: false,
  }
  try {
    yield* relay(found, request, { answer, signal: AbortSignal.any([request.signal, over.signal]) })
  } catch (error) {
    const described = describeError(error, found.callee)
    log.warn('model call failed', { model: request.model, code: described.code })
    const used = usedBy(answer)
    yield request.signal.aborted ? { type: 'stopped', ...used } : { type: 'error', error: described, ...used }
  } finally {
    // A reader that left early ends the request too. One that was read to its end has nothing left to end.
    if (!answer.isRead) over.abort()
  }
}

/** What was seen of an answer so far. Tool calls wait here for the regular end. */
interface Answer {
  early: EarlyUsage
  /** Everything that was said and thought, in pieces. */
  arrived: string[]
  /** Text came that is more than white space. */
  said: boolean
  calls: { id: string; name: string; input: unknown }[]
  raw: Map<string, string>
  finish: { reason: FinishReason; rawReason: string | undefined; usage: ModelUsage } | null
  /** The stream came to its own end. */
  isRead: boolean
}

async function* relay(
  found: FoundModel,
  request: LlmRequest,
  { answer, signal }: { answer: Answer; signal: AbortSignal },
): AsyncGenerator<LlmEvent> {
  const result = streamText({
    model: found.model,
    instructions: toInstructions(request.instructions),
    messages: toMessages(request.history),
    tools: toTools(request.tools),
    maxOutputTokens: Math.min(request.maxOutputTokens, found.limits.maxOutputTokens),
    // Retries happen below, where it is certain that nothing of an answer has arrived.
    maxRetries: 0,
    abortSignal: signal,
    providerOptions: found.options,
    onError: () => undefined,
  })
  for await (const part of untilAborted(result.stream, signal)) {
    if (part.type === 'error') throw part.error
    const event = take(answer, part)
    if (event) yield event
  }
  answer.isRead = !signal.aborted
  if (!request.signal.aborted) {
    const error = problemOf(answer, found.callee)
    if (error) yield { type: 'error', error, ...usedBy(answer) }
    else {
      // `responseMessages` is ready with the last part: nothing is waited for here.
      const providerMessages = plainJson(answersOnly(await result.responseMessages))
      yield* ending(answer, providerMessages)
    }
  } else yield { type: 'stopped', ...usedBy(answer) }
}

/** Keeps what is needed at the end, and gives what is shown at once. */
function take(answer: Answer, part: TextStreamPart<ToolSet>): LlmEvent | null {
  if (part.type === 'text-delta' && part.text !== '') {
    answer.said ||= part.text.trim() !== ''
    answer.arrived.push(part.text)
    return { type: 'text', text: part.text }
  }
  if (part.type === 'reasoning-delta' && part.text !== '') {
    answer.arrived.push(part.text)
    return { type: 'reasoning', text: part.text }
  }
  if (part.type === 'tool-input-delta') {
    answer.raw.set(part.id, (answer.raw.get(part.id) ?? '') + part.delta)
  } else if (part.type === 'tool-call') {
    answer.calls.push({ id: part.toolCallId, name: part.toolName, input: part.input })
  } else if (part.type === 'finish') {
    answer.finish = {
      reason: part.finishReason,
      rawReason: part.rawFinishReason,
      usage: usageOf(part.totalUsage),
    }
  }
  return null
}

/**
 * What a call used that did not end well (ADR 0064): as the provider counted, else what it said of the input when it
 * began, with an estimate of what arrived. Empty: no provider worked on it.
 */
function usedBy({ early, arrived, raw, finish }: Answer): { used?: UsedByFailed } {
  const counted = finish && finish.usage.inputTokens > 0 ? finish.usage : null
  if (counted && !isCutOff(finish)) return { used: { ...counted, estimated: false } }
  if (!counted && !early.isSent()) return {}
  const outputTokens = Math.max(
    counted?.outputTokens ?? 0,
    estimateTokens([...arrived, ...raw.values()].join('')),
  )
  return { used: { inputTokens: null, ...early.input(), ...counted, outputTokens, estimated: true } }
}

function isCutOff(finish: Answer['finish']): boolean {
  if (!finish || finish.reason === 'error' || finish.reason === 'interrupted') return true
  return finish.reason === 'other' && finish.rawReason === undefined
}

function problemOf({ said, calls, finish }: Answer, callee: Callee) {
  if (!finish || isCutOff(finish)) return cutOff(callee)
  if (finish.reason === 'content-filter') return refusedByProvider(callee)
  // One that only thought up to its length limit is cut, not empty.
  if (!said && calls.length === 0 && finish.reason !== 'length') return emptyAnswer(callee)
  return new Set(calls.map((call) => call.id)).size === calls.length ? null : sameCallId(callee)
}

/** Tool calls are good for use only after a regular end: one that was cut could lack its last argument. */
function* ending(answer: Answer, providerMessages: unknown[]): Generator<LlmEvent> {
  const reason = answer.finish?.reason
  const regular = reason === 'tool-calls' || reason === 'stop'
  for (const { id, name, input } of answer.calls) {
    const raw = answer.raw.get(id) ?? JSON.stringify(input)
    // Arguments that are not JSON come as text. A call of a tool that is not offered is the caller's to answer.
    const usable = regular && isRecord(input)
    yield { type: 'tool-call', providerCallId: id, name, input: usable ? input : undefined, raw }
  }
  const usage = answer.finish?.usage ?? { inputTokens: 0, outputTokens: 0 }
  yield { type: 'done', providerMessages, usage, cut: !regular }
}

/** Declared without `execute`: nothing runs in here. */
function toTools(specs: readonly ToolSpec[]): ToolSet {
  return Object.fromEntries(
    specs.map(({ name, description, parameters }) => [
      name,
      { description, inputSchema: jsonSchema(parameters) },
    ]),
  )
}

/** The messages as they will be stored: what can't be written as JSON would be lost later, so it is lost now. */
function plainJson(messages: readonly unknown[]): unknown[] {
  return JSON.parse(JSON.stringify(messages)) as unknown[]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
