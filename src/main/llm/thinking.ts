import type { Thinking } from '@shared/domain/agent'
import type { ProviderConfig } from './provider-settings'

/** What one kind of provider is told, as fields of its own options. */
type Fields = Readonly<Record<string, string | number | { type: 'disabled' }>>

/**
 * How much a model is told to think; null where it can't be told, or needs not be. Only models whose documents name the
 * value get one: others refuse the whole call.
 */
export function thinkingFields(
  kind: ProviderConfig['kind'],
  modelId: string,
  thinking: Thinking | undefined,
): Fields | null {
  return thinking === undefined ? null : TELL[kind](modelId, thinking)
}

const TELL: Readonly<Record<ProviderConfig['kind'], (modelId: string, thinking: Thinking) => Fields | null>> =
  {
    anthropic: (_modelId, thinking) =>
      thinking === 'off' ? { thinking: { type: 'disabled' } } : { effort: thinking },
    openai: (modelId, thinking) => {
      if (!/^(?:o[1-9]|gpt-5)/.test(modelId) || modelId.includes('chat')) return null
      return { reasoningEffort: thinking === 'off' ? leastEffort(modelId) : thinking }
    },
    google: (modelId, thinking) => {
      if (/gemini-2\.5/.test(modelId)) return { thinkingBudget: budget(modelId, thinking) }
      if (thinking === 'medium') return null
      return { thinkingLevel: thinking === 'off' ? 'low' : thinking }
    },
    // Servers of this protocol differ too much: many refuse a field that they do not know.
    'openai-compatible': () => null,
  }

/** The first GPT-5 can't do without any; the o models think at least a little. */
function leastEffort(modelId: string): string {
  if (modelId.startsWith('o')) return 'low'
  return /^gpt-5\.[1-9]/.test(modelId) ? 'none' : 'minimal'
}

/** In tokens. The Pro model always thinks. */
function budget(modelId: string, thinking: Thinking): number {
  const least = modelId.includes('pro') ? 128 : 0
  return { off: least, low: 1024, medium: 8192, high: 24_576 }[thinking]
}
