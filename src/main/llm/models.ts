import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Thinking } from '@shared/domain/agent'
import { PRACTICE_MODEL, type ModelRef } from '@shared/domain/settings'
import { isLoopback } from './base-url'
import type { Callee } from './describe-error'
import { modelLimits, type ModelLimits } from './model-limits'
import { createModel, type CallOptions } from './provider-model'
import type { ProviderConfig, Providers } from './provider-settings'
import type { LlmError } from './types'

/** A model object, ready to be called: never a name, which `ai` would send to a gateway of its own. */
export interface FoundModel {
  model: LanguageModelV4
  callee: Callee
  limits: ModelLimits
  /** What its kind of provider is told beside the messages. */
  options: CallOptions
}

export interface ModelsDeps {
  providers: Pick<Providers, 'config' | 'key'>
  practice: LanguageModelV4
  /** The guarded one. */
  fetch: typeof fetch
}

const PRACTICE_LIMITS: ModelLimits = { contextWindow: 200_000, maxOutputTokens: 64_000 }

/** The model object for a reference, or why there is none. Settings and keys are read anew at each call. */
export function findModel(
  deps: ModelsDeps,
  ref: ModelRef,
  thinking?: Thinking,
): FoundModel | { error: LlmError } {
  if (ref === PRACTICE_MODEL) {
    const callee = { label: 'The practice agent', model: ref, host: 'this computer', key: null }
    return { model: deps.practice, callee, limits: PRACTICE_LIMITS, options: {} }
  }
  const { providerId, modelId } = splitRef(ref)
  const config = deps.providers.config(providerId)
  if (!config) return { error: noProvider(providerId) }
  if (config.state !== 'ready') return { error: noKey(config) }
  const key = deps.providers.key(providerId)
  const url = new URL(config.baseUrl)
  return {
    ...createModel(config, key, { modelId, fetch: deps.fetch, thinking }),
    callee: { label: config.label, model: modelId, host: url.host, key },
    limits: modelLimits(modelId, isLoopback(url)),
  }
}

/** The model's provider is set up, with its key where it needs one. */
export function isModelReady(providers: Pick<Providers, 'config'>, ref: ModelRef): boolean {
  return ref === PRACTICE_MODEL || providers.config(splitRef(ref).providerId)?.state === 'ready'
}

/** Limits without a key: the window is shown before a provider is set up. */
export function limitsOf(deps: { providers: Pick<Providers, 'config'> }, ref: ModelRef): ModelLimits {
  if (ref === PRACTICE_MODEL) return PRACTICE_LIMITS
  return modelLimits(splitRef(ref).modelId, isLocal(deps, ref))
}

/** True for the practice agent and for servers on this computer. */
export function isLocal(deps: { providers: Pick<Providers, 'config'> }, ref: ModelRef): boolean {
  if (ref === PRACTICE_MODEL) return true
  const config = deps.providers.config(splitRef(ref).providerId)
  return config !== null && isLoopback(new URL(config.baseUrl))
}

/** Models of providers that have what they need to be called. */
export function readyModels(providers: Pick<Providers, 'list'>): ModelRef[] {
  const ready = providers.list().filter(({ state }) => state === 'ready')
  return ready.flatMap(({ id, models }) => models.map((name) => `${id}/${name}`))
}

function splitRef(ref: ModelRef): { providerId: string; modelId: string } {
  const slash = ref.indexOf('/')
  return { providerId: ref.slice(0, slash), modelId: ref.slice(slash + 1) }
}

function noProvider(id: string): LlmError {
  return {
    code: 'not_found',
    message: `The provider "${id}" of this chat is not set up any more.`,
    action: 'Choose another model for this chat, or add the provider in Settings, Models.',
  }
}

function noKey({ label, state, keyEnv }: ProviderConfig): LlmError {
  if (state === 'key-unreadable') {
    return {
      code: 'no_key',
      message: `The saved key of ${label} can't be opened: the keyring of this computer changed.`,
      action: 'Enter the key again in Settings, Models.',
    }
  }
  return {
    code: 'no_key',
    message:
      keyEnv === undefined
        ? `There is no key for ${label}.`
        : `There is no key for ${label}: the environment variable ${keyEnv} is not set.`,
    action:
      keyEnv === undefined
        ? 'Enter the key in Settings, Models.'
        : `Set ${keyEnv} and start Satchel again, or enter a key in Settings, Models.`,
  }
}
