import type { RequestDetail } from '@shared/domain/approval'
import { isAllowed } from '@shared/domain/approval'
import type { Asking } from './questions'
import type { Answer } from './teller'

/** A request that a question is about: how it ends without an answer to that question. */
export interface StillWaiting {
  /** Aborts as soon as it does not wait any more. */
  gone: AbortSignal
  end(): Promise<void>
}

/** Follows one request while it is asked about: it can expire, and be answered in the window. */
export function followRequest({ handlers }: Asking['app'], requestId: string): StillWaiting {
  const gone = new AbortController()
  const ending = new AbortController()
  const look = async () => {
    const waiting = await handlers['approvals.list']({})
    if (!waiting.some(({ id }) => id === requestId)) gone.abort()
  }
  const events = handlers['events']({}, ending.signal)[Symbol.asyncIterator]()
  const work = (async () => {
    // Before the first look, so that nothing is missed between the two.
    let next = events.next()
    await look()
    for (let event = await next; event.done !== true; event = await next) {
      next = events.next()
      if (event.value.t === 'approvals.changed') await look()
    }
  })()
  return {
    gone: gone.signal,
    async end() {
      ending.abort()
      await work
    },
  }
}

/** Tells how a request ended that was not answered here. Null: another one may take its place. */
export function tellEnded(teller: Asking['teller'], request: RequestDetail): Answer | null {
  const { status } = request
  if (isAllowed(status)) return 'allowed'
  if (status === 'expired' || status === 'denied' || status === 'auto_denied') {
    const answer = status === 'expired' ? 'expired' : 'denied'
    teller.request(request, answer, answer === 'expired' ? EXPIRED : DENIED)
    return answer
  }
  teller.notice('The request does not wait any more, so nothing was done.')
  return null
}

const EXPIRED =
  'Nobody answered in time, so the request has expired and nothing ran. Ask again to be asked again.'
const DENIED = 'It was denied elsewhere.'
