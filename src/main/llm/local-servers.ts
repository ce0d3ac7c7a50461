import type { LocalServer } from '@shared/domain/settings'
import { PROVIDER_PRESETS, type ProviderPreset } from '@shared/provider-presets'
import { listModels } from './model-list'
import { realTiming, type Timing } from './timing'

export interface LocalServersDeps {
  fetch: typeof fetch
  timing?: Timing
  /** For tests; otherwise the presets on this computer. */
  presets?: readonly ProviderPreset[]
}

const TIMEOUT_MS = 1500
const HERE = /^http:\/\/127\.0\.0\.1:\d+\//

/**
 * Model servers that answer on this computer with a list of models, in the order of the presets. Asks 127.0.0.1 only,
 * sends no key, and is to be called only when a person opens the providers or asks for it. Never throws: a port on which
 * nothing or something else answers is left out.
 */
export async function findLocalServers(deps: LocalServersDeps): Promise<LocalServer[]> {
  const presets = (deps.presets ?? PROVIDER_PRESETS).filter(({ baseUrl }) => HERE.test(baseUrl))
  const found = await Promise.all(presets.map((preset) => ask(deps, preset)))
  return found.filter((server) => server !== null)
}

async function ask(deps: LocalServersDeps, preset: ProviderPreset): Promise<LocalServer | null> {
  const { name, kind, baseUrl } = preset
  const listDeps = { fetch: deps.fetch, timing: deps.timing ?? realTiming, timeoutMs: TIMEOUT_MS }
  try {
    return { name, baseUrl, models: await listModels(listDeps, { kind, baseUrl, key: null }) }
  } catch {
    // Nothing there, or not a model server: it is simply not among what was found.
    return null
  }
}
