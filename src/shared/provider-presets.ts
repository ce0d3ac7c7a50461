import type { ProviderInput } from './domain/settings'

/** A starting point for a provider: every field of it can be changed afterwards. */
export interface ProviderPreset {
  name: string
  kind: ProviderInput['kind']
  /** Empty for the provider's own address, or for one that a person enters. */
  baseUrl: string
  /** False for servers on this computer, which answer without one. */
  needsKey: boolean
  /** The variable that usually holds the key; empty where there is none. */
  keyEnv: string
}

/** The providers that are offered by name (`dependencies.md` 2). Local servers are named by number: no look-up. */
export const PROVIDER_PRESETS: readonly ProviderPreset[] = [
  { name: 'Anthropic', kind: 'anthropic', baseUrl: '', needsKey: true, keyEnv: 'ANTHROPIC_API_KEY' },
  { name: 'OpenAI', kind: 'openai', baseUrl: '', needsKey: true, keyEnv: 'OPENAI_API_KEY' },
  { name: 'Google', kind: 'google', baseUrl: '', needsKey: true, keyEnv: 'GEMINI_API_KEY' },
  local('Ollama', 11434),
  local('LM Studio', 1234),
  local('llama.cpp', 8080),
  {
    name: 'OpenRouter',
    kind: 'openai-compatible',
    baseUrl: 'https://openrouter.ai/api/v1',
    needsKey: true,
    keyEnv: 'OPENROUTER_API_KEY',
  },
  { name: 'Other OpenAI-compatible', kind: 'openai-compatible', baseUrl: '', needsKey: true, keyEnv: '' },
]

function local(name: string, port: number): ProviderPreset {
  return {
    name,
    kind: 'openai-compatible',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    needsKey: false,
    keyEnv: '',
  }
}
