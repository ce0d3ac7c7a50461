import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { withVariables, type HttpDefinition } from './definitions'

export interface HttpDeps {
  env: Readonly<Record<string, string | undefined>>
  fetch: typeof fetch
}

/**
 * A server at an address. A key goes to that address and nowhere else: no redirect is followed. Throws a sentence for a
 * variable that is not set.
 */
export function httpTransport({ url, headers }: HttpDefinition, deps: HttpDeps): Transport {
  const address = new URL(url)
  const filled = Object.entries(headers).map(([name, text]) => [name, withVariables(text, deps.env)])
  return new StreamableHTTPClientTransport(address, {
    fetch: (to, init) => fetchThere(deps.fetch, { address, to: new URL(to) }, init),
    requestInit: { headers: Object.fromEntries(filled) as Record<string, string> },
  })
}

/** Of one answer; a longer one breaks off. */
const MAX_BODY = 8 * 1024 * 1024

async function fetchThere(
  get: typeof fetch,
  { address, to }: { address: URL; to: URL },
  init: RequestInit | undefined,
): Promise<Response> {
  if (to.origin !== address.origin) throw new Error(`It asked for another address, ${to.origin}.`)
  const response = await get(to, { ...init, redirect: 'manual' })
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel()
    throw new Error('It sends calls on to another address. Enter that address if you trust it.')
  }
  return bounded(response)
}

function bounded(response: Response): Response {
  if (response.body === null) return response
  let bytes = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > MAX_BODY) controller.error(new Error('It sent more than 8 MB.'))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(count), { status, statusText, headers })
}
