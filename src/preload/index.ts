import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { CONNECT_CHANNEL, READY_MESSAGE } from '@shared/ipc/bridge'
import type { Bridge } from '@shared/ipc/bridge'
import type { Port } from '@shared/ipc/protocol'

// The port itself stays in this isolated world: the page gets three functions, so it can neither hand the port to
// another frame nor change what its methods do, and what crosses is always a copy. (A port handed over with
// window.postMessage would need a listener in the page that every script of the page could imitate.)
const bridge: Bridge = {
  connect: openPort,
  getPathForFile: (file) => webUtils.getPathForFile(file as File),
}

contextBridge.exposeInMainWorld('satchel', bridge)

/** The parts of the browser's MessagePort that are used; this script is compiled without the DOM's types. */
interface DomPort {
  postMessage(message: unknown): void
  addEventListener(name: 'message' | 'close', listener: (event: { data?: unknown }) => void): void
  start(): void
}
declare const MessageChannel: new () => { port1: DomPort; port2: DomPort }

function openPort(): Promise<Port> {
  const { port1, port2 } = new MessageChannel()
  let isOpen = false
  const messageListeners: ((message: unknown) => void)[] = []
  const closeListeners: (() => void)[] = []

  return new Promise((resolve, reject) => {
    port1.addEventListener('message', ({ data }) => {
      if (isOpen) for (const listener of messageListeners) listener(data)
      else if (data === READY_MESSAGE) {
        isOpen = true
        resolve({
          post: (message) => port1.postMessage(message),
          onMessage: (listener) => void messageListeners.push(listener),
          onClose: (listener) => void closeListeners.push(listener),
        })
      }
    })
    port1.addEventListener('close', () => {
      reject(new Error('Satchel refused the connection.'))
      for (const listener of closeListeners) listener()
    })
    port1.start()
    ipcRenderer.postMessage(CONNECT_CHANNEL, null, [port2 as never])
  })
}
