import type { Session } from './electron'
import { expect, launchSatchel, networkOf, test } from './electron'

/** What Chromium says on the console and on stderr about attacks that it stopped. */
const EXPECTED = [
  /^console: Refused to |violates the following|Not allowed to load local resource|requires 'Trusted/,
  /^console: Failed to load resource: |net::ERR_|Permissions policy violation|permission has been blocked/,
  /electron: Failed to load URL: .* with error: ERR_(INVALID_URL|BLOCKED_BY_CSP)$|--trace-warnings/,
  /^console: Not allowed to navigate top frame to data URL/,
]

/**
 * One app for all tests of a file, with its page loaded anew before each. After the last test the record of the
 * network must be empty: nothing asked for, no name resolved, nothing connected to.
 */
export function attackedApp(): () => Session {
  let session: Session | undefined
  const current = (): Session => {
    if (!session) throw new Error('the app was not started')
    return session
  }
  test.beforeAll(async () => {
    session = await launchSatchel()
    for (const pattern of EXPECTED) session.allow(pattern)
  })
  test.beforeEach(async () => {
    await current().page.reload()
  })
  test.afterAll(async () => {
    if (!session) return
    await session.close()
    const { names, ...use } = networkOf(session)
    expect(use).toEqual({ requests: [], dnsQueries: 0, connections: [] })
    // A preconnect gets as far as the table of names, where every name is mapped to nothing.
    expect(names.filter((name) => name !== 'https://~notfound')).toEqual([])
    expect(session.problems()).toEqual([])
  })
  return current
}

/** Targets of what the app says it has stopped, by kind. */
export function blocked(session: Session, what: string): unknown[] {
  return session
    .logs()
    .filter((entry) => entry.message === 'Blocked' && entry.data?.['what'] === what)
    .map((entry) => entry.data?.['target'])
}

export function webContentsCount(session: Session): Promise<number> {
  return session.app.evaluate(({ webContents }) => webContents.getAllWebContents().length)
}
