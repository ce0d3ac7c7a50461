import { ipcMain } from 'electron'
import type { MessagePortMain, WebContents } from 'electron'
import { CONNECT_CHANNEL, READY_MESSAGE } from '@shared/ipc/bridge'
import type { Port } from '@shared/ipc/protocol'
import { refusalOf } from './port-request'

export interface PortGateDeps {
  /** True for a page that this app opened itself. */
  isOwnPage(contents: WebContents): boolean
  /** Answers requests on a port until it closes. */
  serve(port: Port): void
  /** Called with why a port was not given. */
  onRefused(reason: string): void
}

/** The way from pages to main. */
export interface PortGate {
  /** Waits until every page has closed its port: all that they sent has been received then. At most 500 ms. */
  whenClosed(): Promise<void>
}

const CLOSE_LIMIT_MS = 500

/**
 * Gives each page one port, and closes it when the page navigates, reloads, crashes or asks for another; a page that
 * is closed takes its port with it. The only listener on ipcMain: there is no other way from a page to main.
 */
export function openPortGate(deps: PortGateDeps): PortGate {
  const ports = new Map<number, MessagePortMain>()
  ipcMain.on(CONNECT_CHANNEL, (event) => {
    const { sender, senderFrame } = event
    const refusal = refusalOf({
      frame: senderFrame,
      mainFrame: sender.mainFrame,
      isOwnPage: deps.isOwnPage(sender),
      portCount: event.ports.length,
    })
    const [port] = event.ports
    if (refusal || !port) {
      for (const refused of event.ports) refused.close()
      deps.onRefused(refusal ?? 'no port')
    } else accept(deps, ports, sender, port)
  })
  return { whenClosed: () => whenEmpty(ports) }
}

function accept(
  deps: PortGateDeps,
  ports: Map<number, MessagePortMain>,
  sender: WebContents,
  port: MessagePortMain,
): void {
  const close = () => port.close()
  const onNavigation = ({
    isMainFrame,
    isSameDocument,
  }: {
    isMainFrame: boolean
    isSameDocument: boolean
  }) => {
    if (isMainFrame && !isSameDocument) close()
  }
  ports.get(sender.id)?.close()
  ports.set(sender.id, port)
  sender.on('did-start-navigation', onNavigation)
  sender.on('render-process-gone', close)
  port.on('close', () => {
    if (ports.get(sender.id) === port) ports.delete(sender.id)
    if (sender.isDestroyed()) return
    sender.off('did-start-navigation', onNavigation)
    sender.off('render-process-gone', close)
  })
  deps.serve(toPort(port))
  port.start()
  port.postMessage(READY_MESSAGE)
}

async function whenEmpty(ports: ReadonlyMap<number, MessagePortMain>): Promise<void> {
  const closed = [...ports.values()].map(
    (port) => new Promise<void>((resolve) => port.once('close', resolve)),
  )
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_LIMIT_MS)
  })
  await Promise.race([Promise.all(closed), limit])
  clearTimeout(timer)
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
