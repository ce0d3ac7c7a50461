import { readFile } from 'node:fs/promises'
import { protocol } from 'electron'
import type { Session } from 'electron'
import { lookUp, SCHEME } from './bundle-manifest'
import type { BundleManifest } from './bundle-manifest'
import { SECURITY_HEADERS } from './csp'

/** Makes `app:` a secure scheme with an origin. Must run before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ])
}

/** Serves the built page, and nothing else, from the names listed at start; `file:` is closed. */
export function serveBundle(session: Session, manifest: BundleManifest): void {
  session.protocol.handle(SCHEME, async (request) => {
    if (request.method !== 'GET') return refuse(405)
    const answer = lookUp(manifest, request.url)
    if (answer.status !== 200) return refuse(answer.status)
    const body = await readFile(answer.found.file)
    return new Response(body, {
      headers: { ...SECURITY_HEADERS, 'Content-Type': answer.found.contentType },
    })
  })
  // webRequest does not see every request of a file, so the scheme itself answers nothing.
  session.protocol.handle('file', () => refuse(403))
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: SECURITY_HEADERS })
}
