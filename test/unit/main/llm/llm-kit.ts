import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Protocol } from '../../../helpers/fake-provider'
import type { Log } from '../../../../src/main/lib/log'
import type { ProviderConfig } from '../../../../src/main/llm/provider-settings'
import { createLlm, type LlmDeps } from '../../../../src/main/llm/stream'
import { realTiming, type Timing } from '../../../../src/main/llm/timing'
import type { Llm, LlmEvent, LlmRequest, ToolSpec } from '../../../../src/main/llm/types'

export const PROTOCOLS: readonly Protocol[] = ['anthropic', 'openai', 'openai-responses', 'google']

/** Which kind of provider speaks it. */
export const KIND_OF: Readonly<Record<Protocol, ProviderConfig['kind']>> = {
  anthropic: 'anthropic',
  openai: 'openai-compatible',
  'openai-responses': 'openai',
  google: 'google',
}

/** What a protocol calls things. */
export interface Wire {
  keyHeader: string
  /** Where a request holds the limit of the answer. */
  limitOf(body: unknown): unknown
  /** Where a request holds its messages. */
  messages: 'messages' | 'input' | 'contents'
  /** So many events until the first piece of text has been sent. */
  toFirstText: number
  /** What stands in a stream once its answer has ended regularly with a tool call. */
  end: string
  /** How a request gives the reasoning of a fake answer back. */
  reasoning(text: string, signature: string): string
}

type Body = Record<string, Record<string, unknown> | number>

export const WIRE: Readonly<Record<Protocol, Wire>> = {
  anthropic: {
    keyHeader: 'x-api-key',
    limitOf: (body) => (body as Body)['max_tokens'],
    messages: 'messages',
    toFirstText: 4,
    end: '{"type":"message_stop"}',
    reasoning: (text, signature) => `{"type":"thinking","thinking":"${text}","signature":"${signature}"}`,
  },
  openai: {
    keyHeader: 'authorization',
    limitOf: (body) => (body as Body)['max_tokens'],
    messages: 'messages',
    toFirstText: 2,
    end: '"finish_reason":"tool_calls"',
    reasoning: (text) => `"reasoning_content":"${text}"`,
  },
  'openai-responses': {
    keyHeader: 'authorization',
    limitOf: (body) => (body as Body)['max_output_tokens'],
    messages: 'input',
    toFirstText: 5,
    end: '{"type":"response.completed"',
    reasoning: (text, signature) =>
      `"encrypted_content":"${signature}","summary":[{"type":"summary_text","text":"${text}"}]`,
  },
  google: {
    keyHeader: 'x-goog-api-key',
    limitOf: (body) => ((body as Body)['generationConfig'] as Body)['maxOutputTokens'],
    messages: 'contents',
    toFirstText: 1,
    end: '"finishReason":"STOP"',
    reasoning: (_text, signature) => `"thoughtSignature":"${signature}"`,
  },
}

export const KEY = 'test-key-0123456789'

export const READ_TOOL: ToolSpec = {
  name: 'skills_read',
  description: 'Reads a file of a skill.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Time that moves only when a test says so, and retries that wait no time at all unless `held`. */
export interface FakeTiming extends Timing {
  /** Every wait that was asked for, in order. */
  waits: number[]
  /** Runs what is due after `ms`. */
  advance(ms: number): void
}

export function fakeTiming(held: { retries: boolean } = { retries: false }): FakeTiming {
  const due = new Set<{ at: number; run: () => void }>()
  let now = 1_000_000
  const timing: FakeTiming = {
    waits: [],
    idleMs: 60_000,
    responseMs: 300_000,
    now: () => now,
    random: () => 0.5,
    after(ms, run) {
      timing.waits.push(ms)
      const entry = { at: now + ms, run }
      due.add(entry)
      // A wait before a retry is neither of the two limits.
      const retry = ms !== timing.idleMs && ms !== timing.responseMs
      if (retry && !held.retries) queueMicrotask(() => fire(entry))
      return () => void due.delete(entry)
    },
    advance(ms) {
      now += ms
      for (const entry of due) if (entry.at <= now) fire(entry)
    },
  }
  function fire(entry: { at: number; run: () => void }): void {
    if (due.delete(entry)) entry.run()
  }
  return timing
}

/** A model that must not be called. */
export const noPractice: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'practice',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('not called')),
  doStream: () => Promise.reject(new Error('not called')),
}

/** A model layer with one provider, `p`, at `baseUrl`. */
export function llmFor(protocol: Protocol, baseUrl: string, deps: Partial<LlmDeps> = {}): Llm {
  return createLlm({
    providers: {
      list: () => [],
      config: (id) =>
        id === 'p'
          ? {
              id,
              kind: KIND_OF[protocol],
              label: 'Fake',
              baseUrl,
              state: 'ready',
            }
          : null,
      key: () => KEY,
    },
    practice: noPractice,
    fetch: globalThis.fetch,
    log: silentLog,
    timing: realTiming,
    ...deps,
  })
}

export function requestOf(fields: Partial<LlmRequest> = {}): LlmRequest {
  return {
    model: 'p/model-a',
    instructions: ['You help.', '<active_skills>\n</active_skills>'],
    history: [{ role: 'user', text: 'hello' }],
    tools: [READ_TOOL],
    maxOutputTokens: 1000,
    signal: new AbortController().signal,
    ...fields,
  }
}

export async function collect(stream: AsyncIterable<LlmEvent>): Promise<LlmEvent[]> {
  const events: LlmEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** Text and reasoning joined, so that two streams compare whatever their pieces were. */
export function joined(events: readonly LlmEvent[]): LlmEvent[] {
  const result: LlmEvent[] = []
  for (const event of events) {
    const last = result.at(-1)
    if (last && (event.type === 'text' || event.type === 'reasoning') && last.type === event.type) {
      result[result.length - 1] = { type: event.type, text: last.text + event.text }
    } else result.push(event)
  }
  return result
}

/** `fetch` that answers with these bytes, cut at the given offsets. */
export function fetchOf(bytes: Uint8Array, cuts: readonly number[] = []): typeof fetch {
  return () => {
    const offsets = [0, ...[...new Set(cuts)].filter((n) => n > 0 && n < bytes.length), bytes.length]
    offsets.sort((a, b) => a - b)
    const pieces = offsets.slice(1).map((end, index) => bytes.subarray(offsets[index], end))
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift()
        if (piece) controller.enqueue(piece)
        else controller.close()
      },
    })
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  }
}
