import type { App, Session, WebContents } from 'electron'

export interface SecurityDeps {
  /** Called with what was stopped, for the log and the person: "navigation", "https://evil.example". */
  onBlocked(
    what: 'permission' | 'navigation' | 'window' | 'webview' | 'request' | 'download',
    target: string,
  ): void
}

/** Writing plain text to the clipboard after a click; the copy buttons need it. Nothing else is ever granted. */
const ALLOWED_PERMISSION = 'clipboard-sanitized-write'

const ALLOWED_SCHEMES = new Set(['app:', 'blob:', 'data:'])

/** Refuses every permission, request and download of a session (`security.md` 2.1 points 5 and EL-2). */
export function lockSession(session: Session, deps: SecurityDeps): void {
  // Chromium loads a dictionary for the spell checker even where no page uses it.
  session.setSpellCheckerEnabled(false)
  session.setSpellCheckerLanguages([])
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    const isAllowed = permission === ALLOWED_PERMISSION
    if (!isAllowed) deps.onBlocked('permission', permission)
    answer(isAllowed)
  })
  session.setPermissionCheckHandler((_contents, permission) => permission === ALLOWED_PERMISSION)
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler((_request, answer) => {
    deps.onBlocked('permission', 'display-capture')
    answer(null)
  })
  if (process.platform !== 'darwin') {
    session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }))
  }
  session.webRequest.onBeforeRequest((request, answer) => {
    const isBlocked = !isOwnRequest(request.url)
    if (isBlocked) deps.onBlocked('request', siteOf(request.url))
    answer({ cancel: isBlocked })
  })
  session.on('will-download', (event, item) => {
    event.preventDefault()
    deps.onBlocked('download', siteOf(item.getURL()))
  })
}

/** Refuses navigation, new windows and webviews on every WebContents that will ever exist (points 12 to 14). */
export function lockWebContents(app: App, deps: SecurityDeps): void {
  app.on('web-contents-created', (_event, contents) => lock(contents, deps))
}

/** True for what the page may load: its own files and data it made itself; developer tools bring their own. */
export function isOwnRequest(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol } = new URL(address)
  return ALLOWED_SCHEMES.has(protocol) || protocol === 'devtools:'
}

/** Scheme and host of an address. The rest may hold what an attacker wants carried out, so it is not logged. */
export function siteOf(address: string): string {
  if (!URL.canParse(address)) return 'an unreadable address'
  const url = new URL(address)
  return url.host ? `${url.protocol}//${url.host}` : url.protocol
}

function lock(contents: WebContents, deps: SecurityDeps): void {
  const refuse = (event: { preventDefault(): void; url: string }) => {
    event.preventDefault()
    deps.onBlocked('navigation', siteOf(event.url))
  }
  contents.on('will-frame-navigate', refuse)
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', refuse)
  contents.on('will-attach-webview', (event) => {
    event.preventDefault()
    deps.onBlocked('webview', 'a webview')
  })
  contents.setWindowOpenHandler(({ url }) => {
    deps.onBlocked('window', siteOf(url))
    return { action: 'deny' }
  })
}
