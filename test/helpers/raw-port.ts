import type { Page } from '@playwright/test'

/**
 * Runs code as a script of the page would: later than the debugger's own call, which the content security policy
 * lets pass. What it throws comes back as "threw <name>".
 */
export function inPage<T>(page: Page, body: string): Promise<T> {
  return page.evaluate<T>(`new Promise((done) => setTimeout(async () => {
    try { done(await (async () => { ${body} })()) } catch (error) { done('threw ' + (error?.name ?? error)) }
  }))`)
}

/**
 * In the page: `await rawPort()` gives `{ ask(message), post(message), next(), closed }` over a new port, without
 * any of the client's checks. The page's own connection is closed by it.
 */
export const RAW_PORT = `
  const rawPort = async () => {
    const port = await window.satchel.connect()
    const queue = []
    const waiting = []
    let isClosed = false
    port.onMessage((message) => (waiting.length ? waiting.shift()(message) : queue.push(message)))
    port.onClose(() => { isClosed = true })
    const next = () => queue.length ? Promise.resolve(queue.shift()) : new Promise((done) => waiting.push(done))
    return {
      post: (message) => port.post(message),
      next,
      ask: (message) => { port.post(message); return next() },
      isClosed: () => isClosed,
    }
  };
`
