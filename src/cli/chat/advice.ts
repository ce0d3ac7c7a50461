import type { Part } from '@shared/domain/session'
import type { ModelRef, ProviderView } from '@shared/domain/settings'
import { PROVIDER_PRESETS } from '@shared/provider-presets'
import { KEY_VARIABLE, presetId, type OneOffProvider } from '../../main/llm/command-providers'

/** What failed and what to do about it, in one text. */
export type Advice = (failure: Failure, model: ModelRef | null) => string

type Failure = Pick<Extract<Part, { type: 'error' }>, 'code' | 'message' | 'action'>

const KEYS_ONLY =
  "This command takes keys from environment variables only: it can't open the app's store of keys."
const SETTINGS = / in Settings, Models\b/

/**
 * What to do about a failed call for somebody at the command: the app's own advice leads to Settings, where neither a
 * key of the command nor an address of `--base-url` can be changed.
 */
export function commandAdvice(oneOff: OneOffProvider | null, providers: readonly ProviderView[]): Advice {
  return ({ code, message, action }, model) => {
    if (code === 'context_length')
      return `${message} Send /compact to have older messages summarised. ${action}`
    const id = model?.split('/')[0]
    const named = oneOff !== null && oneOff.id === id
    const next = aboutKey(code, action)
      ? keyWords(named ? KEY_VARIABLE : variableOf(id, providers))
      : named
        ? addressWords(code, action)
        : action
    return `${message} ${next}`.trim()
  }
}

/** A refused or a missing key. */
function aboutKey(code: string, action: string): boolean {
  return code === 'no_key' || (code === 'auth' && SETTINGS.test(action))
}

function keyWords(variable: string | null): string {
  const where = variable ?? 'the environment variable of this provider'
  return `Put the right key into ${where}, then try again. ${KEYS_ONLY}`
}

function variableOf(id: string | undefined, providers: readonly ProviderView[]): string | null {
  const stored = providers.find((one) => one.id === id)
  if (stored) return stored.keyEnv ?? null
  return PROVIDER_PRESETS.find((preset) => presetId(preset) === id)?.keyEnv || null
}

function addressWords(code: string, action: string): string {
  if (code === 'redirect') return 'If the new address is right, give it with --base-url.'
  if (action.startsWith('Enter the address')) return 'Give an address with another port with --base-url.'
  return /\baddress\b/.test(action) ? action.replace(SETTINGS, ' (--base-url)') : action
}
