import { PRACTICE_MODEL, type ProviderAnswer, type UnsavedProvider } from '@shared/domain/settings'
import { describeError } from './describe-error'
import { listModels } from './model-list'
import type { ProviderConfig, Providers } from './provider-settings'
import { realTiming, type Timing } from './timing'

export interface CheckDeps<Need extends keyof Providers> {
  providers: Pick<Providers, Need>
  fetch: typeof fetch
  timing?: Timing
}

const TIMEOUT_MS = 15_000

/** Asks a provider for its list of models: one call that costs nothing. Never throws. */
export async function checkProvider(deps: CheckDeps<'config' | 'key'>, id: string): Promise<ProviderAnswer> {
  if (PRACTICE_MODEL.startsWith(`${id}/`)) {
    return { ok: true, message: 'The practice agent is built in.', models: ['scripted'] }
  }
  const config = deps.providers.config(id)
  if (!config) return failed(`There is no provider ${id}. Add it first.`)
  if (config.state === 'key-unreadable') return failed("The saved key can't be opened. Enter it again.")
  if (config.state === 'key-missing') return failed(missing(config))
  return offeredBy(deps, config, deps.providers.key(id))
}

/** The same for a provider that is not saved. Throws `bad_input` where saving it would. */
export async function checkUnsaved(
  deps: CheckDeps<'unsaved'>,
  input: UnsavedProvider,
): Promise<ProviderAnswer> {
  const { config, key } = deps.providers.unsaved(input)
  return config.state === 'ready' ? offeredBy(deps, config, key) : failed(missing(config))
}

async function offeredBy(
  deps: CheckDeps<never>,
  config: ProviderConfig,
  key: string | null,
): Promise<ProviderAnswer> {
  try {
    const models = await listModels(
      { fetch: deps.fetch, timing: deps.timing ?? realTiming, timeoutMs: TIMEOUT_MS },
      { kind: config.kind, baseUrl: config.baseUrl, key },
    )
    return { ok: true, message: `${config.label} answered and offers ${count(models.length)}.`, models }
  } catch (error) {
    const callee = {
      label: config.label,
      model: 'the list of models',
      host: new URL(config.baseUrl).host,
      key,
    }
    return failed(explain(error, callee))
  }
}

function explain(error: unknown, callee: Parameters<typeof describeError>[1]): string {
  if (error instanceof SyntaxError) {
    return `${callee.host} answered, but not with a list of models. Check the address.`
  }
  if ((error as { statusCode?: unknown }).statusCode === 404) {
    return `${callee.host} has no list of models at this address (404). Check the address; it often ends in /v1.`
  }
  const { message, action } = describeError(error, callee)
  // No message was sent here that could be sent again.
  return `${message} ${/\bmessage\b/.test(action) ? 'Check again in a few minutes.' : action}`
}

function missing({ label, keyEnv }: ProviderConfig): string {
  return keyEnv === undefined
    ? `There is no key for ${label}. Enter one.`
    : `The environment variable ${keyEnv} is not set. Set it and start Satchel again, or enter a key.`
}

function count(models: number): string {
  return models === 1 ? '1 model' : `${models} models`
}

function failed(message: string): ProviderAnswer {
  return { ok: false, message, models: [] }
}
