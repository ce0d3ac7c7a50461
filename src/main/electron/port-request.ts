import type { WebFrameMain } from 'electron'
import { ORIGIN } from './bundle-manifest'

/** What is known about the sender of a request for a port. */
export interface PortRequest {
  /** Null after the frame has navigated or gone. */
  frame: Pick<WebFrameMain, 'origin' | 'url'> | null
  mainFrame: Pick<WebFrameMain, 'origin' | 'url'>
  isOwnPage: boolean
  portCount: number
}

/** Why a request for a port is refused, or null (`security.md` 2.1, point 17). */
export function refusalOf(request: PortRequest): string | null {
  if (!request.isOwnPage) return 'not a page of this app'
  if (!request.frame) return 'the frame is gone'
  if (request.frame !== request.mainFrame) return 'not the main frame'
  if (request.frame.origin !== ORIGIN) return 'another origin'
  // An about:blank that the page has opened has the page's origin.
  if (!request.frame.url.startsWith(`${ORIGIN}/`)) return 'another address'
  return request.portCount === 1 ? null : 'not exactly one port'
}
