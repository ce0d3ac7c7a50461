import type { Session } from './electron'
import { expect, launchSatchel, networkOf, test } from './electron'

/** What Chromium says on the console and on stderr about attacks that it stopped. */
const EXPECTED = [
  /^console: Refused to |violates the following|Not allowed to load local resource|requires 'Trusted/,
  /^console: Failed to load resource: |net::ERR_|Permissions policy violation|permission has been blocked/,
  /electron: Failed to load URL: .* with error: ERR_(INVALID_URL|BLOCKED_BY_CSP)$|--trace-warnings/,
  /^console: Not allowed to navigate top frame to data URL/,
]

/** What Electron must tell of the preferences of every WebContents. */
export const STRICT_PREFERENCES = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
}

/**
 * One app for all tests of a file, with its page loaded anew before each. After the last test the record of the
 * network must be empty: nothing asked for, no name resolved, nothing connected to. And no WebContents may ever have
 * been made but that of the window, and none with looser preferences.
 */
export function attackedApp(): () => Session {
  let session: Session | undefined
  const current = (): Session => {
    if (!session) throw new Error('the app was not started')
    return session
  }
  test.beforeAll(async () => {
    session = await launchSatchel()
    await watchWebContents(session)
    for (const pattern of EXPECTED) session.allow(pattern)
  })
  test.beforeEach(async () => {
    await current().page.reload()
  })
  test.afterAll(async () => {
    if (!session) return
    const all = await webContentsEver(session)
    await session.close()
    expect(all).toEqual([expect.objectContaining(STRICT_PREFERENCES)])
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

/** Preferences of each WebContents that there is or was since the start. */
function webContentsEver({ app }: Session): Promise<unknown[]> {
  return app.evaluate(() => (globalThis as unknown as { preferencesEver: unknown[] }).preferencesEver)
}

function watchWebContents({ app }: Session): Promise<void> {
  return app.evaluate(({ app: electron, webContents }) => {
    const ever: unknown[] = []
    const add = (contents: unknown) =>
      ever.push((contents as { getLastWebPreferences(): unknown }).getLastWebPreferences())
    webContents.getAllWebContents().forEach(add)
    electron.on('web-contents-created', (_event, contents) => void add(contents))
    Object.assign(globalThis, { preferencesEver: ever })
  })
}
