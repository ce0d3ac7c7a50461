import { PRACTICE_MODEL, ProviderInput } from '@shared/domain/settings'
import type { KeySource, ProviderView, UnsavedProvider } from '@shared/domain/settings'
import type { ProviderPreset } from '@shared/provider-presets'
import { words as wordsTexts } from './model-strings'

const GATEWAY = wordsTexts.providerFormState.leaveItEmptyUnless

export type KeyStore = 'keychain' | 'memory' | 'env' | 'none' | 'keep'

/** What stands in the form; everything is text until it is checked. */
export interface ProviderDraft {
  /** Empty for a new one. */
  id: string
  kind: ProviderInput['kind']
  label: string
  baseUrl: string
  /** One model a line, or with commas. */
  models: string
  /** What the provider said that it offers; empty before it was asked. */
  offered: readonly string[]
  store: KeyStore
  key: string
  envName: string
}

/** A form for a new provider. Without a keychain a key is kept for this run only, never silently in plain text. */
export function draftFromPreset(preset: ProviderPreset, keychain: boolean): ProviderDraft {
  const store = !preset.needsKey ? 'none' : keychain ? 'keychain' : 'memory'
  return {
    id: '',
    kind: preset.kind,
    label: preset.name.startsWith('Other') ? '' : preset.name,
    baseUrl: preset.baseUrl,
    models: '',
    offered: [],
    store,
    key: '',
    envName: preset.keyEnv,
  }
}

/** A form for a provider that exists; its key stays where it is until another is typed. */
export function draftFromProvider(provider: ProviderView, offered: readonly string[] = []): ProviderDraft {
  return {
    id: provider.id,
    kind: provider.kind === 'practice' ? 'openai-compatible' : provider.kind,
    label: provider.label,
    baseUrl: provider.baseUrl ?? '',
    models: provider.models.join('\n'),
    offered,
    store: 'keep',
    key: '',
    envName: provider.keyEnv ?? '',
  }
}

/** What each kind is called, and what stands by its address. */
export const KINDS: readonly {
  kind: ProviderDraft['kind']
  name: string
  /** Shown in an empty field. */
  address: string
  hint: string
}[] = [
  {
    kind: 'anthropic',
    name: wordsTexts.providerFormState.anthropic,
    address: wordsTexts.providerFormState.theUsualOneOf,
    hint: GATEWAY,
  },
  {
    kind: 'openai',
    name: 'OpenAI (Responses)',
    address: wordsTexts.providerFormState.theUsualOneOfOpenai,
    hint: GATEWAY,
  },
  {
    kind: 'google',
    name: wordsTexts.providerFormState.google,
    address: wordsTexts.providerFormState.theUsualOneOfGoogle,
    hint: GATEWAY,
  },
  {
    kind: 'openai-compatible',
    name: 'OpenAI-compatible',
    address: 'http://127.0.0.1:11434/v1',
    hint: wordsTexts.providerFormState.thePartBeforeChat,
  },
]

export type FieldErrors = Partial<Record<'label' | 'baseUrl' | 'models' | 'key' | 'envName', string>>

export type Checked = { ok: true; input: ProviderInput } | { ok: false; errors: FieldErrors }

/** Checks the form. `before` is the saved provider: another address needs the key again (KEY-3). */
export function checkDraft(draft: ProviderDraft, taken: readonly string[], before?: ProviderView): Checked {
  const errors: FieldErrors = {
    ...labelError(draft),
    ...addressError(draft, before),
    ...modelsError(draft),
    ...keyError(draft, before),
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors }
  const parsed = ProviderInput.safeParse(toInput(draft, taken))
  if (parsed.success) return { ok: true, input: parsed.data }
  return {
    ok: false,
    errors: { label: parsed.error.issues[0]?.message ?? wordsTexts.providerFormState.checkTheFields },
  }
}

export type CheckedUnsaved = { ok: true; input: UnsavedProvider } | { ok: false; errors: FieldErrors }

/** The same to ask the provider what it offers: it needs no models yet, and no name. */
export function checkUnsaved(
  draft: ProviderDraft,
  taken: readonly string[],
  before?: ProviderView,
): CheckedUnsaved {
  const named = {
    ...draft,
    label: draft.label.trim() || wordsTexts.providerFormState.theProvider,
    models: 'any',
  }
  const checked = checkDraft(named, taken, before)
  if (!checked.ok) return checked
  const { models: _none, ...input } = checked.input
  return { ok: true, input }
}

/** The id that is kept with chats: letters, digits and dashes of the name, with a number when it is taken. */
export function providerId(label: string, taken: readonly string[]): string {
  const slug = label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 32)
  const base = slug === '' || slug === 'practice' ? 'provider' : slug.replace(/-$/, '')
  if (!taken.includes(base)) return base
  let n = 2
  while (taken.includes(`${base}-${n}`)) n += 1
  return `${base}-${n}`
}

export function splitModels(text: string): string[] {
  const names = text.split(/[\n,]/).map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}

/** The names in the field with one more, or without it when it stood there. */
export function toggleModel(text: string, name: string): string {
  const names = splitModels(text)
  const next = names.includes(name) ? names.filter((item) => item !== name) : [...names, name]
  return next.join('\n')
}

/** Where the key of a provider lives, for the list. */
export function keyWords(provider: Pick<ProviderView, 'keySource' | 'keyEnv' | 'keyLast4'>): string {
  const words: Record<KeySource, string> = {
    none: wordsTexts.providerFormState.noKey,
    keychain: wordsTexts.providerFormState.keyInTheKeychain(provider.keyLast4),
    memory: wordsTexts.providerFormState.keyUntilSatchelCloses(provider.keyLast4),
    env: wordsTexts.providerFormState.keyFrom(provider.keyEnv),
  }
  return words[provider.keySource]
}

/** Every model that can be chosen, the practice agent first; a chosen one that is gone stays visible. */
export function modelChoices(
  providers: readonly ProviderView[],
  chosen: string,
): [ref: string, label: string][] {
  const choices = providers.flatMap((provider) =>
    provider.kind === 'practice'
      ? []
      : provider.models.map((model): [string, string] => [
          `${provider.id}/${model}`,
          `${model} (${provider.label})`,
        ]),
  )
  const all: [string, string][] = [
    [PRACTICE_MODEL, wordsTexts.providerFormState.practiceAgentScripted],
    ...choices,
  ]
  return all.some(([ref]) => ref === chosen)
    ? all
    : [...all, [chosen, wordsTexts.providerFormState.noLongerSetUp(chosen)]]
}

const ENV_NAME = /^[A-Z_][A-Z0-9_]{0,80}$/
const MAX_MODELS = 50

function labelError(draft: ProviderDraft): FieldErrors {
  const label = draft.label.trim()
  if (label === '') return { label: wordsTexts.providerFormState.giveItAName }
  return label.length > 60 ? { label: wordsTexts.providerFormState.atMostCharacters } : {}
}

function addressError(draft: ProviderDraft, before: ProviderView | undefined): FieldErrors {
  const address = draft.baseUrl.trim()
  if (address === '') {
    return draft.kind === 'openai-compatible'
      ? { baseUrl: wordsTexts.providerFormState.enterTheAddressSuch }
      : {}
  }
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !/^https?:$/.test(url.protocol))
    return { baseUrl: wordsTexts.providerFormState.startTheAddressWith }
  if (url.username || url.password)
    return { baseUrl: 'Take the name and password out of the address; keys go below.' }
  const local = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !local && hasKey(draft, before)) {
    return { baseUrl: wordsTexts.providerFormState.aKeyWouldTravel }
  }
  return {}
}

function modelsError(draft: ProviderDraft): FieldErrors {
  const models = splitModels(draft.models)
  if (models.length === 0) return { models: wordsTexts.providerFormState.nameAtLeastOne }
  return models.length > MAX_MODELS
    ? { models: wordsTexts.providerFormState.nameAtMostModels(MAX_MODELS) }
    : {}
}

function keyError(draft: ProviderDraft, before: ProviderView | undefined): FieldErrors {
  if (draft.store === 'env' && !ENV_NAME.test(draft.envName.trim())) {
    return { envName: wordsTexts.providerFormState.capitalLettersDigits }
  }
  if ((draft.store === 'keychain' || draft.store === 'memory') && draft.key.trim() === '') {
    return { key: wordsTexts.providerFormState.enterTheKey }
  }
  const moved =
    before !== undefined && (before.kind !== draft.kind || (before.baseUrl ?? '') !== draft.baseUrl.trim())
  if (draft.store === 'keep' && moved && before.keySource !== 'none') {
    return { key: wordsTexts.providerFormState.theAddressChangedSo }
  }
  return {}
}

function hasKey(draft: ProviderDraft, before: ProviderView | undefined): boolean {
  return draft.store === 'keep' ? before !== undefined && before.keySource !== 'none' : draft.store !== 'none'
}

function toInput(draft: ProviderDraft, taken: readonly string[]): unknown {
  const baseUrl = draft.baseUrl.trim()
  return {
    id: draft.id || providerId(draft.label, taken),
    kind: draft.kind,
    label: draft.label.trim(),
    ...(baseUrl === '' ? {} : { baseUrl }),
    models: splitModels(draft.models),
    key: toKey(draft),
  }
}

function toKey(draft: ProviderDraft): unknown {
  if (draft.store === 'env') return { store: 'env', name: draft.envName.trim() }
  if (draft.store === 'none' || draft.store === 'keep') return { store: draft.store }
  return { store: draft.store, value: draft.key.trim() }
}
