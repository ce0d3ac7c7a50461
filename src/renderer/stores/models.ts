import { PRACTICE_MODEL } from '@shared/domain/settings'
import type { ModelRef, ProviderView } from '@shared/domain/settings'
import { visibleLine } from '@shared/visible-text'
import { words } from './strings'

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
export const PRACTICE_NAME = words.models.practiceAgentScripted

/** A model in words, from what Settings knows about its provider. */
export function describeModel(ref: ModelRef, providers: readonly ProviderView[]): ModelView {
  if (ref === PRACTICE_MODEL) {
    return {
      name: PRACTICE_NAME,
      full: PRACTICE_NAME,
      scripted: true,
      state: words.models.builtIn,
      ready: true,
    }
  }
  const slash = ref.indexOf('/')
  const name = visibleLine(ref.slice(slash + 1))
  const provider = providers.find((other) => other.id === ref.slice(0, slash))
  if (!provider) return { name, full: name, scripted: false, state: words.models.notSetUp, ready: false }
  const ready = provider.state === 'ready'
  return {
    name,
    full: words.models.on(name, visibleLine(provider.label)),
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
  return host === 'localhost' || host.startsWith('127.') || host === '[::1]' ? 'local' : words.models.setUp
}

function keyWord(provider: ProviderView): string {
  return provider.state === 'key-missing' ? words.models.keyMissing : words.models.keyUnreadable
}
