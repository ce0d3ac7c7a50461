import { z } from 'zod'
import type { ModelUsage } from './types'

/** What becomes of a request, told where it is sent. */
export interface RequestFollower {
  /** True: it is on its way, or answered. False: it was refused, or never reached a model. */
  sent(isSent: boolean): void
  /** Bytes of the stream, in their order. */
  see(bytes: Uint8Array): void
}

/** What a provider said of the input of a call when it began to answer. */
export interface EarlyUsage extends RequestFollower {
  /** A provider may have worked on it. */
  isSent(): boolean
  /** Null: nothing was said of it yet. */
  input(): Pick<ModelUsage, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'> | null
}

/** Longer first events are not read. */
const MAX_BYTES = 20_000

/**
 * Reads the first event of a stream: Anthropic and Google count the input there, so that it is known also of an answer
 * that never comes to its end.
 */
export function createEarlyUsage(): EarlyUsage {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  let isOver = false
  let isSent = false
  return {
    sent(now) {
      isSent = now
    },
    isSent: () => isSent,
    see(chunk) {
      bytes += chunk.length
      if (isOver) return
      text += decoder.decode(chunk, { stream: true })
      isOver = bytes > MAX_BYTES || firstEvent(text) !== null
    },
    input: () => inputIn(firstEvent(text) ?? text),
  }
}

/** The first event that has data; null while it is not whole. */
function firstEvent(text: string): string | null {
  const events = text.split(/\r\n\r\n|\n\n|\r\r/)
  return events.slice(0, -1).find((event) => /^data:/m.test(event)) ?? null
}

const Tokens = z.number().int().nonnegative()

/** The parts that went through the cache are counted beside the rest of the input. */
const Anthropic = z
  .object({
    message: z.object({
      usage: z.object({
        input_tokens: Tokens,
        cache_read_input_tokens: Tokens.nullish(),
        cache_creation_input_tokens: Tokens.nullish(),
      }),
    }),
  })
  .transform(({ message: { usage } }) => {
    const cacheReadTokens = usage.cache_read_input_tokens ?? 0
    const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0
    const inputTokens = usage.input_tokens + cacheReadTokens + cacheWriteTokens
    return { inputTokens, cacheReadTokens, cacheWriteTokens }
  })

const Google = z
  .object({
    usageMetadata: z.object({ promptTokenCount: Tokens, cachedContentTokenCount: Tokens.nullish() }),
  })
  .transform(({ usageMetadata: { promptTokenCount, cachedContentTokenCount } }) => ({
    inputTokens: promptTokenCount,
    cacheReadTokens: cachedContentTokenCount ?? 0,
  }))

const Counted = z.union([Anthropic, Google])

function inputIn(event: string): ReturnType<EarlyUsage['input']> {
  const line = /^data:(.*)$/m.exec(event)?.[1]
  try {
    const counted = line === undefined ? null : (Counted.safeParse(JSON.parse(line)).data ?? null)
    return counted && counted.inputTokens > 0 ? counted : null
  } catch {
    // Cut within its first event: nothing was said.
    return null
  }
}
