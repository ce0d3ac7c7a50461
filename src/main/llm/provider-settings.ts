import type { ProviderInput, ProviderView, UnsavedProvider } from '@shared/domain/settings'
import { AppError } from '@shared/errors'
import { oncePerWork } from '../lib/once-per-work'
import type { Keyring } from '../lib/keyring'
import type { Db } from '../db/open'
import { createProviderRows, type ProviderRow, type ProviderRows } from '../db/provider-rows'
import { effectiveBaseUrl } from './base-url'
import { commandProviders, type OneOffProvider } from './command-providers'

/** What a model call needs to know of a provider; the key is asked for apart. */
export interface ProviderConfig {
  id: string
  kind: ProviderInput['kind']
  label: string
  /** Always set, without a trailing slash. */
  baseUrl: string
  state: ProviderView['state']
  keyEnv?: string
}

export interface Providers {
  /** All providers, the practice agent first. */
  list(): ProviderView[]
  /**
   * Adds or changes one. Throws `no_secure_storage` when the key should go to a keychain that is not there, and
   * `bad_input` for an address or key that can't be used, or when a new address comes without the key (KEY-3).
   */
  save(input: ProviderInput): ProviderView
  /** What a call would use of one that is not saved. Throws as `save` does. */
  unsaved(input: UnsavedProvider): { config: ProviderConfig; key: string | null }
  /** Forgets a provider and its key. Throws `not_found`. */
  remove(id: string): void
  /** The key, or null when there is none or it can't be opened. Never leaves main (KEY-2). */
  key(id: string): string | null
  /** Null for an unknown id, for the practice agent, and for a stored address that may not be used. */
  config(id: string): ProviderConfig | null
}

export interface ProvidersDeps {
  db: Db
  secrets: Keyring
  /** The app's own environment, read at each call. */
  env: Readonly<Record<string, string | undefined>>
  now(): number
  /** The command: keys from environment variables only, and a provider of this run alone. */
  forCommand?: { provider: OneOffProvider | null }
}

interface Context extends Omit<ProvidersDeps, 'db' | 'forCommand'> {
  rows: ProviderRows
  /** Keys for this run of the app only, by provider id. */
  memory: Map<string, string>
  /** What the keyring gave, so that it is asked once for each sealed value. */
  opened: Map<string, { sealed: Buffer; key: string | null }>
}

const PRACTICE_ID = 'practice'
const PRACTICE: ProviderView = {
  id: PRACTICE_ID,
  kind: 'practice',
  label: 'Practice agent',
  models: ['scripted'],
  keySource: 'none',
  state: 'ready',
}

/** Configured providers: rows in the database, keys in the keyring, in memory or in the environment. */
export function createProviders({ db, forCommand, ...deps }: ProvidersDeps): Providers {
  const stored = createProviderRows(db)
  const rows = forCommand ? commandProviders(stored, forCommand.provider, deps) : stored
  // Asked for many times in each step of a chat.
  const known = oncePerWork(() => new Map<string, ProviderConfig | null>())
  const configOf = (id: string) => {
    const row = context.rows.get(id)
    return row ? toConfig(context, row) : null
  }
  const context: Context = { ...deps, rows, memory: new Map(), opened: new Map() }
  return {
    list: () => [PRACTICE, ...context.rows.list().map((row) => toView(context, row))],
    save(input) {
      known.forget()
      return save(context, input)
    },
    unsaved: (input) => unsaved(context, input),
    remove(id) {
      known.forget()
      if (!context.rows.get(id)) throw new AppError('not_found', `There is no provider ${id}.`)
      context.rows.remove(id)
      context.memory.delete(id)
      context.opened.delete(id)
    },
    key(id) {
      // Opening a key may tell that it can't be opened.
      known.forget()
      const row = context.rows.get(id)
      return row ? keyOf(context, row) : null
    },
    config(id) {
      const configs = known.get()
      const config = configs.get(id) ?? configOf(id)
      configs.set(id, config)
      return config
    },
  }
}

function toConfig(context: Context, row: ProviderRow): ProviderConfig | null {
  const baseUrl = storedBaseUrl(row)
  if (baseUrl === null) return null
  return {
    id: row.id,
    kind: row.kind,
    label: row.label,
    baseUrl,
    state: stateOf(context, row),
    ...(row.keyEnv === null ? {} : { keyEnv: row.keyEnv }),
  }
}

/** Checked like an address that is entered: a changed database file must not send a key elsewhere in the clear. */
function storedBaseUrl(row: ProviderRow): string | null {
  try {
    return effectiveBaseUrl(row.kind, row.baseUrl ?? undefined)
  } catch {
    // Not an address that `save` would take: the provider counts as not set up.
    return null
  }
}

function toView(context: Context, row: ProviderRow): ProviderView {
  return {
    id: row.id,
    kind: row.kind,
    label: row.label,
    models: row.models,
    keySource: row.keySource,
    state: stateOf(context, row),
    ...(row.baseUrl === null ? {} : { baseUrl: row.baseUrl }),
    ...(row.keyEnv === null ? {} : { keyEnv: row.keyEnv }),
    ...(row.keyLast4 === null ? {} : { keyLast4: row.keyLast4 }),
  }
}

/** Servers of the OpenAI-compatible kind often need no key: without one they are ready too. */
function stateOf(context: Context, row: ProviderRow): ProviderView['state'] {
  if (row.keySource === 'none' && row.kind === 'openai-compatible') return 'ready'
  if (keyOf(context, row) !== null) return 'ready'
  return row.keySource === 'keychain' ? 'key-unreadable' : 'key-missing'
}

function keyOf(context: Context, row: ProviderRow): string | null {
  if (row.keySource === 'memory') return context.memory.get(row.id) ?? null
  if (row.keySource === 'env') return usable(context.env[row.keyEnv ?? ''] ?? '')
  return row.keySealed ? openSealed(context, row.id, row.keySealed) : null
}

/** A key that another keyring sealed is asked for again; it is no reason to stop. */
function openSealed(context: Context, id: string, sealed: Buffer): string | null {
  const known = context.opened.get(id)
  if (known?.sealed.equals(sealed)) return known.key
  let key: string | null = null
  try {
    key = context.secrets.open(sealed)
  } catch {
    // Sealed by a keyring that is gone or changed: the state `key-unreadable` says so.
  }
  context.opened.set(id, { sealed, key })
  return key
}

function save(context: Context, input: ProviderInput): ProviderView {
  if (input.id === PRACTICE_ID) {
    throw new AppError(
      'bad_input',
      'The id "practice" belongs to the built-in practice agent. Choose another.',
    )
  }
  const before = context.rows.get(input.id)
  const address = effectiveBaseUrl(input.kind, input.baseUrl)
  if (input.key.store === 'keep' && before) requireSameAddress(before, input.kind, address)
  const row: ProviderRow = {
    id: input.id,
    kind: input.kind,
    label: input.label,
    baseUrl: input.baseUrl === undefined ? null : address,
    models: input.models,
    ...keyColumns(context, input, before),
    createdAt: before?.createdAt ?? context.now(),
  }
  context.rows.put(row)
  context.opened.delete(row.id)
  if (input.key.store === 'memory') context.memory.set(row.id, checkedKey(input.key.value))
  else if (input.key.store !== 'keep') context.memory.delete(row.id)
  return toView(context, row)
}

function unsaved(context: Context, input: UnsavedProvider): { config: ProviderConfig; key: string | null } {
  const { id, kind, label } = input
  const before = context.rows.get(id)
  const baseUrl = effectiveBaseUrl(kind, input.baseUrl)
  if (input.key.store === 'keep' && before) requireSameAddress(before, kind, baseUrl)
  const key = unsavedKey(context, input.key, before)
  const state = key !== null || kind === 'openai-compatible' ? 'ready' : 'key-missing'
  const keyEnv = input.key.store === 'env' ? { keyEnv: input.key.name } : {}
  return { config: { id, kind, label, baseUrl, state, ...keyEnv }, key }
}

function unsavedKey(
  context: Context,
  key: UnsavedProvider['key'],
  before: ProviderRow | null,
): string | null {
  if (key.store === 'none') return null
  if (key.store === 'keep') return before && keyOf(context, before)
  return key.store === 'env' ? usable(context.env[key.name] ?? '') : checkedKey(key.value)
}

/** A key goes only where it was entered for (KEY-3); that holds for the name of a variable too. */
function requireSameAddress(before: ProviderRow, kind: ProviderInput['kind'], address: string): void {
  if (before.keySource === 'none') return
  if (before.kind === kind && storedBaseUrl(before) === address) return
  throw new AppError(
    'bad_input',
    'The address changed, so the key has to be entered again: it was given for the old address only.',
  )
}

type KeyColumns = Pick<ProviderRow, 'keySource' | 'keyEnv' | 'keySealed' | 'keyBackend' | 'keyLast4'>

const NO_KEY: KeyColumns = {
  keySource: 'none',
  keyEnv: null,
  keySealed: null,
  keyBackend: null,
  keyLast4: null,
}

function keyColumns(context: Context, input: ProviderInput, before: ProviderRow | null): KeyColumns {
  const key = input.key
  if (key.store === 'none') return NO_KEY
  if (key.store === 'keep') return before ? pickKey(before) : NO_KEY
  if (key.store === 'env') return { ...NO_KEY, keySource: 'env', keyEnv: key.name }
  const value = checkedKey(key.value)
  return key.store === 'memory'
    ? { ...NO_KEY, keySource: 'memory', keyLast4: last4(value) }
    : sealedColumns(context.secrets, value)
}

function pickKey(row: ProviderRow): KeyColumns {
  const { keySource, keyEnv, keySealed, keyBackend, keyLast4 } = row
  return { keySource, keyEnv, keySealed, keyBackend, keyLast4 }
}

function sealedColumns(secrets: Keyring, key: string): KeyColumns {
  if (!secrets.available) throw noStorage(secrets.reason)
  let sealed: Buffer
  try {
    sealed = secrets.seal(key)
  } catch (error) {
    throw noStorage(error instanceof Error ? error.message : 'the keyring refused it')
  }
  return {
    keySource: 'keychain',
    keyEnv: null,
    keySealed: sealed,
    keyBackend: secrets.backend,
    keyLast4: last4(key),
  }
}

function noStorage(reason: string): AppError {
  return new AppError(
    'no_secure_storage',
    `The key was not saved: ${reason.trim().replace(/\.$/, '')}. Keep it until Satchel is closed, or name an environment variable that holds it.`,
    { choices: ['memory', 'env'] },
  )
}

function checkedKey(value: string): string {
  const key = usable(value)
  if (key === null) {
    throw new AppError(
      'bad_input',
      'This is not a key: it is empty or holds spaces or characters outside plain ASCII. Copy it again.',
    )
  }
  return key
}

/** Keys travel in a header: printable ASCII without spaces. */
function usable(value: string): string | null {
  const key = value.trim()
  return /^[\x21-\x7e]+$/.test(key) ? key : null
}

/** Nothing of a short key is shown: four characters would be too much of it. */
function last4(key: string): string | null {
  return key.length >= 12 ? key.slice(-4) : null
}
