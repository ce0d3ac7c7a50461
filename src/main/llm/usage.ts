import type { LanguageModelUsage } from 'ai'
import type { ModelUsage } from './types'

/** Tokens of one call as the provider counted them; what it did not count is left out, or 0 for the two totals. */
export function usageOf(counted: LanguageModelUsage): ModelUsage {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = counted
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...given('cacheReadTokens', inputTokenDetails.cacheReadTokens),
    ...given('cacheWriteTokens', inputTokenDetails.cacheWriteTokens),
    ...given('reasoningTokens', outputTokenDetails.reasoningTokens),
  }
}

function given(name: string, tokens: number | undefined): Record<string, number> {
  return tokens === undefined || tokens === 0 ? {} : { [name]: tokens }
}
