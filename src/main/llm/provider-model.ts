import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { streamText } from 'ai'
import type { Thinking } from '@shared/domain/agent'
import type { ProviderConfig } from './provider-settings'
import { thinkingFields } from './thinking'

export type CallOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>

export interface ProviderModel {
  model: LanguageModelV4
  options: CallOptions
}

/** Which model, and how it is reached. */
export interface ModelTarget {
  modelId: string
  /** The guarded one. */
  fetch: typeof fetch
  thinking?: Thinking | undefined
}

/**
 * The model object of a provider package with what it is told beside the messages. Address and key are always given:
 * the packages would otherwise take them from the environment (KEY-3).
 */
export function createModel(
  { id, kind, baseUrl }: Pick<ProviderConfig, 'id' | 'kind' | 'baseUrl'>,
  key: string | null,
  { modelId, fetch, thinking }: ModelTarget,
): ProviderModel {
  return CREATE[kind]({ id, modelId, key, baseURL: baseUrl, fetch, thinking })
}

interface Access extends ModelTarget {
  id: string
  key: string | null
  baseURL: string
}

const CREATE: Readonly<Record<ProviderConfig['kind'], (access: Access) => ProviderModel>> = {
  anthropic: ({ modelId, key, baseURL, fetch, thinking }) => ({
    model: createAnthropic({ apiKey: key ?? '', baseURL, fetch })(modelId),
    options: anthropicOptions(modelId, thinking),
  }),
  openai: ({ modelId, key, baseURL, fetch, thinking }) => ({
    model: createOpenAI({ apiKey: key ?? '', baseURL, fetch }).responses(modelId),
    options: { openai: { ...OPENAI_OPTIONS, ...thinkingFields('openai', modelId, thinking) } },
  }),
  google: ({ modelId, key, baseURL, fetch, thinking }) => ({
    model: createGoogle({ apiKey: key ?? '', baseURL, fetch })(modelId),
    options: googleOptions(modelId, thinking),
  }),
  'openai-compatible': ({ id: name, modelId, key, baseURL, fetch }) => {
    const apiKey = key === null ? {} : { apiKey: key }
    return {
      model: createOpenAICompatible({ name, baseURL, includeUsage: true, fetch, ...apiKey })(modelId),
      options: {},
    }
  },
}

/**
 * Nothing is kept at the provider: reasoning comes sealed and goes back as it came. Models that don't reason get none of
 * this; the package sees to it.
 */
const OPENAI_OPTIONS = { store: false, reasoningSummary: 'auto' }

/** Claude models that choose by themselves how much they think; older ones would have to be given a budget. */
const THINKS_BY_ITSELF = /claude-(?:(?:opus|sonnet)-4-[6-9]|[a-z]+-[5-9])(?!\d)/

/** Arguments are used only complete; older servers of this protocol don't know the eager way. */
function anthropicOptions(modelId: string, asked: Thinking | undefined): CallOptions {
  const thinking = THINKS_BY_ITSELF.test(modelId)
    ? {
        thinking: { type: 'adaptive', display: 'summarized' },
        ...thinkingFields('anthropic', modelId, asked),
      }
    : {}
  return { anthropic: { toolStreaming: false, ...thinking } }
}

/** Older Gemini models, and those for images and speech, refuse to be asked for their thoughts. */
function googleOptions(modelId: string, asked: Thinking | undefined): CallOptions {
  const thinks = /gemini-(?:2\.5|[3-9])/.test(modelId) && !/image|tts|live|audio/.test(modelId)
  const config = { includeThoughts: true, ...thinkingFields('google', modelId, asked) }
  return thinks ? { google: { thinkingConfig: config } } : {}
}
