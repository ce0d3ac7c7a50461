import type { ProviderInput } from '@shared/domain/settings'
import { PROVIDER_PRESETS, type ProviderPreset } from '@shared/provider-presets'
import type { ProviderRow, ProviderRows } from '../db/provider-rows'
import { effectiveBaseUrl } from './base-url'

/** A server that was named for one run of the command; nothing of it is stored. */
export interface OneOffProvider {
  id: string
  kind: ProviderInput['kind']
  baseUrl: string
}

/** Holds the key of a server that was named by `--base-url`. */
export const KEY_VARIABLE = 'SATCHEL_API_KEY'

/**
 * The providers as the command has them: those of the app, each with its key from a variable where the app keeps it in
 * a store that the command can't open; the presets, by their ids; and the one that was named for this run.
 */
export function commandProviders(
  stored: ProviderRows,
  oneOff: OneOffProvider | null,
  { env, now }: { env: Readonly<Record<string, string | undefined>>; now(): number },
): ProviderRows {
  const given = oneOff && rowOf(oneOff, env[KEY_VARIABLE] !== undefined, now())
  const others = () => stored.list().filter(({ id }) => id !== given?.id)
  return {
    list: () => [...others(), ...(given ? [given] : [])].map(withVariable),
    get(id) {
      if (id === given?.id) return given
      const row = stored.get(id) ?? presetRow(id, now())
      return row && withVariable(row)
    },
    put: stored.put,
    remove: stored.remove,
  }
}

/** What the command calls a preset: "lm-studio". */
export function presetId({ name }: ProviderPreset): string {
  return isOther(name)
    ? 'openai-compatible'
    : name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/-+$/, '')
}

function isOther(name: string): boolean {
  return name.startsWith('Other ')
}

/** A key goes only where it was entered for (KEY-3): the usual variables are for the provider's own address. */
function withVariable(row: ProviderRow): ProviderRow {
  if (row.keySource !== 'keychain' && row.keySource !== 'memory') return row
  return { ...row, keySource: 'env', keyEnv: variableOf(row), keySealed: null, keyBackend: null }
}

function variableOf({ id, kind, baseUrl }: ProviderRow): string {
  const preset = PROVIDER_PRESETS.find(
    (one) => one.kind === kind && addressOf(kind, one.baseUrl) === addressOf(kind, baseUrl),
  )
  return preset?.keyEnv || `SATCHEL_${id.toUpperCase().replaceAll('-', '_')}_API_KEY`
}

function addressOf(kind: ProviderRow['kind'], baseUrl: string | null): string | null {
  try {
    return effectiveBaseUrl(kind, baseUrl ?? undefined)
  } catch {
    return null // no address of its own, or one that may not be used
  }
}

function presetRow(id: string, createdAt: number): ProviderRow | null {
  const preset = PROVIDER_PRESETS.find((one) => presetId(one) === id)
  if (!preset || addressOf(preset.kind, preset.baseUrl) === null) return null
  const { name, kind, baseUrl, keyEnv } = preset
  return { ...EMPTY, id, kind, label: name, baseUrl: baseUrl || null, ...fromVariable(keyEnv), createdAt }
}

function rowOf({ id, kind, baseUrl }: OneOffProvider, hasKey: boolean, createdAt: number): ProviderRow {
  // A server of the compatible kind often needs none.
  const key = hasKey || kind !== 'openai-compatible' ? KEY_VARIABLE : ''
  return { ...EMPTY, id, kind, label: id, baseUrl, ...fromVariable(key), createdAt }
}

const EMPTY = { models: [], keySealed: null, keyBackend: null, keyLast4: null }

function fromVariable(keyEnv: string): Pick<ProviderRow, 'keySource' | 'keyEnv'> {
  return keyEnv === '' ? { keySource: 'none', keyEnv: null } : { keySource: 'env', keyEnv }
}
