import { ipcMain } from 'electron'
import type { MessagePortMain, WebContents, WebFrameMain } from 'electron'
import { CONNECT_CHANNEL, READY_MESSAGE } from '@shared/ipc/bridge'
import type { Port } from '@shared/ipc/protocol'
import { ORIGIN } from './bundle-manifest'

export interface PortGateDeps {
  /** True for a page that this app opened itself. */
  isOwnPage(contents: WebContents): boolean
  /** Answers requests on a port until it closes. */
  serve(port: Port): void
  /** Called with why a port was not given. */
  onRefused(reason: string): void
}

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

/**
 * Gives each page one port, and closes it when the page navigates, reloads, crashes or asks for another. The only
 * listener on ipcMain: there is no other way from a page to main.
 */
export function openPortGate(deps: PortGateDeps): void {
  const openPorts = new Map<number, MessagePortMain>()
  const watched = new Set<number>()

  ipcMain.on(CONNECT_CHANNEL, (event) => {
    const { sender, senderFrame, ports } = event
    const refusal = refusalOf({
      frame: senderFrame,
      mainFrame: sender.mainFrame,
      isOwnPage: deps.isOwnPage(sender),
      portCount: ports.length,
    })
    const [port] = ports
    if (refusal || !port) {
      for (const refused of ports) refused.close()
      deps.onRefused(refusal ?? 'no port')
      return
    }
    openPorts.get(sender.id)?.close()
    openPorts.set(sender.id, port)
    if (!watched.has(sender.id)) {
      watched.add(sender.id)
      closeWithPage(sender, openPorts, watched)
    }
    deps.serve(toPort(port))
    port.start()
    port.postMessage(READY_MESSAGE)
  })
}

function closeWithPage(
  contents: WebContents,
  openPorts: Map<number, MessagePortMain>,
  watched: Set<number>,
): void {
  const { id } = contents
  const close = () => {
    openPorts.get(id)?.close()
    openPorts.delete(id)
  }
  contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) close()
  })
  contents.on('render-process-gone', close)
  contents.on('destroyed', () => {
    close()
    watched.delete(id)
  })
}

/** Electron's port as the three methods that `serve` knows. What is sent after it closed is dropped. */
function toPort(port: MessagePortMain): Port {
  let isOpen = true
  const closeListeners: (() => void)[] = []
  port.on('close', () => {
    isOpen = false
    for (const listener of closeListeners) listener()
  })
  return {
    post(message) {
      if (isOpen) port.postMessage(message)
    },
    onMessage(listener) {
      port.on('message', (event) => listener(event.data))
    },
    onClose(listener) {
      closeListeners.push(listener)
    },
  }
}
