import type { App } from '../../main/app'
import type { Teller } from './teller'

export interface Notices {
  /** Why the agent was stopped at a limit since this was asked before; null when it was not. */
  takeLimit(): Promise<string | null>
  end(): Promise<void>
}

/** What the app would show over its window. That a turn ended at a limit is told as its end. */
export function tellNotices({ handlers }: App, teller: Teller): Notices {
  const ending = new AbortController()
  let limit: string | null = null
  const work = (async () => {
    for await (const event of handlers['events']({}, ending.signal)) {
      if (event.t !== 'notice') continue
      if (event.limitOf === undefined) teller.notice(event.message)
      else limit = event.message
    }
  })()
  return {
    async takeLimit() {
      await arrived()
      const reached = limit
      limit = null
      return reached
    },
    async end() {
      await arrived()
      ending.abort()
      await work
    },
  }
}

/** Those that were sent with the end of a turn. */
function arrived(): Promise<void> {
  return new Promise((done) => void setImmediate(done))
}
