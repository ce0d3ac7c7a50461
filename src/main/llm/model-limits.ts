/** What a model takes and gives, in tokens. */
export interface ModelLimits {
  contextWindow: number
  maxOutputTokens: number
}

const UNKNOWN: ModelLimits = { contextWindow: 32_768, maxOutputTokens: 8192 }

/** First match wins. Too small a number costs room, too large a one costs the call: in doubt the smaller one. */
const TABLE: readonly (readonly [RegExp, contextWindow: number, maxOutputTokens: number])[] = [
  [/claude-(3-haiku|3-opus|3-sonnet)/, 200_000, 4096],
  [/claude-3-5/, 200_000, 8192],
  [/claude-opus-4(-[01]\b|-2025)/, 200_000, 32_000],
  [/claude/, 200_000, 64_000],
  [/gpt-5/, 272_000, 128_000],
  [/gpt-4\.1/, 1_000_000, 32_768],
  [/gpt-4o|gpt-4-turbo|gpt-oss|\bo[134]\b/, 128_000, 16_384],
  [/gpt-4/, 8192, 4096],
  [/gpt-3\.5/, 16_385, 4096],
  [/gemini/, 1_000_000, 65_536],
  [/mistral-(large|medium|small)|devstral|magistral/, 128_000, 16_384],
  [/deepseek/, 64_000, 8192],
  [/llama-?3\.[1-9]|qwen-?[23]/, 128_000, 8192],
]

/** Limits of a model by its name; a careful guess for an unknown one, and for servers that set their own window. */
export function modelLimits(modelId: string, runsLocally: boolean): ModelLimits {
  const row = TABLE.find(([pattern]) => pattern.test(modelId.toLowerCase()))
  const limits = row ? { contextWindow: row[1], maxOutputTokens: row[2] } : UNKNOWN
  if (!runsLocally) return limits
  return {
    contextWindow: Math.min(limits.contextWindow, UNKNOWN.contextWindow),
    maxOutputTokens: Math.min(limits.maxOutputTokens, UNKNOWN.maxOutputTokens),
  }
}
