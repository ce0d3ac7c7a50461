import { isLoopback } from './base-url'
import type { ProviderConfig } from './provider-settings'
import type { Timing } from './timing'
import { TransportFault } from './transport-fault'

/** Whose list of models is asked for. */
export interface ListTarget extends Pick<ProviderConfig, 'kind' | 'baseUrl'> {
  key: string | null
}

export interface ListDeps {
  fetch: typeof fetch
  timing: Timing
  /** Longest wait for the whole list, in milliseconds. */
  timeoutMs: number
}

const MAX_BYTES = 2_000_000
const MAX_MODELS = 500

/**
 * Names of the models that a provider offers, sorted; at most 500. Follows no redirect. Throws `TransportFault`, an
 * error with `statusCode`, `SyntaxError` for an answer that is no list, or what `fetch` throws.
 */
export async function listModels(deps: ListDeps, target: ListTarget): Promise<string[]> {
  const url = new URL(target.baseUrl)
  try {
    return namesIn(await get(deps, `${target.baseUrl}${LIST_PATH[target.kind]}`, headersFor(target)))
  } catch (error) {
    // Older servers of Ollama have a list of their own only.
    if ((error as { statusCode?: unknown }).statusCode !== 404 || !isLoopback(url)) throw error
    return namesIn(await get(deps, `${url.origin}/api/tags`, {}))
  }
}

const LIST_PATH: Readonly<Record<ProviderConfig['kind'], string>> = {
  anthropic: '/models?limit=1000',
  openai: '/models',
  google: '/models?pageSize=1000',
  'openai-compatible': '/models',
}

function headersFor({ kind, key }: ListTarget): Record<string, string> {
  if (kind === 'anthropic') return { 'x-api-key': key ?? '', 'anthropic-version': '2023-06-01' }
  if (key === null) return {}
  return kind === 'google' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}

async function get(deps: ListDeps, url: string, headers: Record<string, string>): Promise<string> {
  const late = new AbortController()
  const cancel = deps.timing.after(deps.timeoutMs, () => late.abort(new TransportFault('no_response')))
  try {
    const response = await deps.fetch(url, { headers, redirect: 'manual', signal: late.signal })
    await refuseFailure(response)
    return await readAtMost(response, MAX_BYTES)
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error
  } finally {
    cancel()
  }
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

interface Listed {
  id?: unknown
  name?: unknown
  supportedGenerationMethods?: unknown
}

/** `{data: [{id}]}` of most servers, or `{models: [{name}]}` of Google and Ollama. Throws `SyntaxError` for others. */
function namesIn(text: string): string[] {
  const { data, models } = (JSON.parse(text) ?? {}) as { data?: unknown; models?: unknown }
  const list = Array.isArray(data) ? data : models
  if (!Array.isArray(list)) throw new SyntaxError('no list')
  const names = (list as (Listed | null)[]).map((item) => (item && chats(item) ? nameOf(item) : undefined))
  return names
    .filter((name) => name !== undefined && name.length > 0 && name.length <= 200)
    .map(String)
    .sort()
    .slice(0, MAX_MODELS)
}

function nameOf({ id, name }: Listed): string | undefined {
  const given = id ?? name
  return typeof given === 'string' ? given.replace(/^models\//, '') : undefined
}

/** Google says of each model what it can do; embedding models can't answer. */
function chats({ supportedGenerationMethods: methods }: Listed): boolean {
  return !Array.isArray(methods) || methods.includes('generateContent')
}
