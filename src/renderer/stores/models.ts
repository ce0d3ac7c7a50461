import { PRACTICE_MODEL } from '@shared/domain/settings'
import type { ModelRef, ProviderView } from '@shared/domain/settings'
import { visibleLine } from '@shared/visible-text'

export interface ModelView {
  /** For a button: the model's own name. */
  name: string
  /** Name with where it runs. */
  full: string
  scripted: boolean
  /** One word about whether it can answer. */
  state: string
  ready: boolean
}

/** What people call the built-in agent, everywhere (`ux.md` 2.11). */
export const PRACTICE_NAME = 'Practice agent, scripted'

/** A model in words, from what Settings knows about its provider. */
export function describeModel(ref: ModelRef, providers: readonly ProviderView[]): ModelView {
  if (ref === PRACTICE_MODEL) {
    return { name: PRACTICE_NAME, full: PRACTICE_NAME, scripted: true, state: 'built in', ready: true }
  }
  const slash = ref.indexOf('/')
  const name = visibleLine(ref.slice(slash + 1))
  const provider = providers.find((other) => other.id === ref.slice(0, slash))
  if (!provider) return { name, full: name, scripted: false, state: 'not set up', ready: false }
  const ready = provider.state === 'ready'
  return {
    name,
    full: `${name} on ${visibleLine(provider.label)}`,
    scripted: false,
    state: ready ? place(provider) : keyWord(provider),
    ready,
  }
}

/** Every model a chat may use, the practice agent first. */
export function modelChoices(providers: readonly ProviderView[]): ModelRef[] {
  const others = providers
    .filter((provider) => provider.kind !== 'practice')
    .flatMap((provider) => provider.models.map((model) => `${provider.id}/${model}`))
  return [PRACTICE_MODEL, ...others]
}

function place(provider: ProviderView): string {
  const host = provider.baseUrl && URL.canParse(provider.baseUrl) ? new URL(provider.baseUrl).hostname : ''
  return host === 'localhost' || host.startsWith('127.') || host === '[::1]' ? 'local' : 'set up'
}

function keyWord(provider: ProviderView): string {
  return provider.state === 'key-missing' ? 'key missing' : 'key unreadable'
}
