import { PRACTICE_MODEL } from '@shared/domain/settings'
import { describeError } from './describe-error'
import type { ProviderConfig, Providers } from './provider-settings'
import { realTiming, type Timing } from './timing'
import { TransportFault } from './transport-fault'

export interface ProviderCheck {
  ok: boolean
  /** What was found, or what failed and what to do. */
  message: string
  /** Names of the models that the provider offers, sorted. */
  models: string[]
}

export interface CheckDeps {
  providers: Pick<Providers, 'config' | 'key'>
  fetch: typeof fetch
  timing?: Timing
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 2_000_000
const MAX_MODELS = 500

/** Asks a provider for its list of models: one call that costs nothing. Never throws. */
export async function checkProvider(deps: CheckDeps, id: string): Promise<ProviderCheck> {
  if (PRACTICE_MODEL.startsWith(`${id}/`)) {
    return { ok: true, message: 'The practice agent is built in.', models: ['scripted'] }
  }
  const config = deps.providers.config(id)
  if (!config) return failed(`There is no provider ${id}. Add it first.`)
  if (config.state === 'key-unreadable') return failed("The saved key can't be opened. Enter it again.")
  if (config.state === 'key-missing') return failed(missing(config))
  const key = deps.providers.key(id)
  try {
    const models = modelNames(await askForModels(deps, config, key))
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

async function askForModels(deps: CheckDeps, config: ProviderConfig, key: string | null): Promise<string> {
  const timing = deps.timing ?? realTiming
  const late = new AbortController()
  const cancel = timing.after(TIMEOUT_MS, () => late.abort(new TransportFault('no_response')))
  try {
    const path = config.kind === 'anthropic' ? '/models?limit=1000' : '/models'
    const response = await deps.fetch(`${config.baseUrl}${path}`, {
      headers: headersFor(config, key),
      redirect: 'manual',
      signal: late.signal,
    })
    await refuseFailure(response)
    return await readAtMost(response, MAX_BYTES)
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error
  } finally {
    cancel()
  }
}

function headersFor(config: ProviderConfig, key: string | null): Record<string, string> {
  if (config.kind === 'anthropic') return { 'x-api-key': key ?? '', 'anthropic-version': '2023-06-01' }
  return key === null ? {} : { authorization: `Bearer ${key}` }
}

async function refuseFailure(response: Response): Promise<void> {
  if (response.ok) return
  await response.body?.cancel()
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    const to = response.headers.get('location') ?? ''
    throw new TransportFault('redirect', URL.canParse(to) ? new URL(to).host : '')
  }
  throw Object.assign(new Error(response.statusText), { statusCode: response.status })
}

async function readAtMost(response: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > limit) throw new SyntaxError('the list is too long')
  }
  return text
}

/** Both protocols answer `{data: [{id}]}`. Throws `SyntaxError` for everything else. */
function modelNames(text: string): string[] {
  const { data } = (JSON.parse(text) ?? {}) as { data?: unknown }
  if (!Array.isArray(data)) throw new SyntaxError('no list')
  const names = data.map((item: unknown) => (item as { id?: unknown } | null)?.id)
  return names
    .filter((name) => typeof name === 'string' && name.length > 0 && name.length <= 200)
    .map(String)
    .sort()
    .slice(0, MAX_MODELS)
}

function missing({ label, keyEnv }: ProviderConfig): string {
  return keyEnv === undefined
    ? `There is no key for ${label}. Enter one.`
    : `The environment variable ${keyEnv} is not set. Set it and start Satchel again, or enter a key.`
}

function count(models: number): string {
  return models === 1 ? '1 model' : `${models} models`
}

function failed(message: string): ProviderCheck {
  return { ok: false, message, models: [] }
}
