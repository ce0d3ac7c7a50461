import type { Log } from '../lib/log'
import type { RequestFollower } from './early-usage'
import { networkError } from './network-error'
import { retryDelay, type FailedTry } from './retry'
import { guardBody } from './guarded-body'
import { sleep, type Timing } from './timing'
import { TransportFault } from './transport-fault'

export interface GuardedFetchDeps {
  fetch: typeof fetch
  timing: Timing
  log: Log
  /** Told before each wait for another try. */
  onWait?: (status: FailedTry['status'], ms: number) => void
  follower?: RequestFollower
}

/**
 * `fetch` for model calls, given to the provider packages. It follows no redirect, since a redirect would take the key
 * along (A91); it tries again on 429, 5xx and failed connections, at most twice and only while nothing of an answer
 * has arrived; and it ends answers that fall silent or are no event stream. Throws `TransportFault` for what it finds.
 */
export function createGuardedFetch(deps: GuardedFetchDeps): typeof fetch {
  return async (input, init = {}) => {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await tryOnce(deps, input, init)
      const wait = init.signal?.aborted === true ? null : waitAfter(deps, outcome, attempt)
      if (wait === null) return finish(deps, outcome)
      await outcome.response?.body?.cancel()
      await sleep(deps.timing, wait, init.signal ?? undefined)
    }
  }
}

interface Outcome {
  response?: Response
  error?: unknown
  /** Ends the request, also while its answer is read. */
  stop: (reason: Error) => void
}

type Input = Parameters<typeof fetch>[0]

async function tryOnce(deps: GuardedFetchDeps, input: Input, init: RequestInit): Promise<Outcome> {
  const own = new AbortController()
  const stop = (reason: Error) => own.abort(reason)
  const signal = init.signal ? AbortSignal.any([init.signal, own.signal]) : own.signal
  const cancel = deps.timing.after(deps.timing.responseMs, () => stop(new TransportFault('no_response')))
  deps.follower?.sent(true)
  try {
    const response = await deps.fetch(input, { ...init, signal, redirect: 'manual' })
    if (!response.ok) deps.follower?.sent(false)
    return { response, stop }
  } catch (error) {
    if (networkError(error) !== null) deps.follower?.sent(false)
    return { error: own.signal.aborted ? own.signal.reason : error, stop }
  } finally {
    cancel()
  }
}

function waitAfter(deps: GuardedFetchDeps, { response, error }: Outcome, attempt: number): number | null {
  const failed = response ? failedStatus(response) : failedConnection(error)
  const wait = failed && retryDelay(failed, attempt, deps.timing)
  if (failed === null || wait === null) return null
  deps.log.info('model call: trying again', { status: failed.status, waitMs: wait })
  deps.onWait?.(failed.status, wait)
  return wait
}

async function finish(deps: GuardedFetchDeps, { response, error, stop }: Outcome): Promise<Response> {
  if (!response) throw error
  return checked(deps, response, stop)
}

function failedStatus(response: Response): FailedTry | null {
  if (response.status < 400) return null
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    retryAfterMs: response.headers.get('retry-after-ms'),
  }
}

function failedConnection(error: unknown): FailedTry | null {
  return networkError(error)?.kind === 'connection' ? { status: 'no-connection' } : null
}

async function checked(deps: GuardedFetchDeps, response: Response, stop: Outcome['stop']): Promise<Response> {
  if (isRedirect(response)) {
    await response.body?.cancel()
    throw new TransportFault('redirect', hostOf(response.headers.get('location')))
  }
  const sniff = response.ok
  if (sniff && (response.headers.get('content-type') ?? '').includes('text/html')) {
    await response.body?.cancel()
    deps.follower?.sent(false)
    throw new TransportFault('html')
  }
  if (!response.body) {
    if (sniff) throw new TransportFault('empty')
    return response
  }
  const { status, statusText, headers } = response
  const { timing, follower } = deps
  const guard = { timing, sniff, stop, ...(sniff && follower ? { onBytes: follower.see } : {}) }
  return new Response(guardBody(response.body, guard), {
    status,
    statusText,
    headers,
  })
}

/** Outside Node `fetch` hides the status of a redirect that it does not follow. */
function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
}

function hostOf(location: string | null): string {
  return location !== null && URL.canParse(location) ? new URL(location).host : ''
}
