import type { Port } from '@shared/ipc/protocol'

/** What a worker and its parent port have in common. */
interface Thread {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/** The port of `serve` and `connect` over a worker thread; `closed` is called with the listener of its end. */
export function threadPort(thread: Thread, closed: (listener: () => void) => void): Port {
  return {
    post: (message) => thread.postMessage(message),
    onMessage: (listener) => void thread.on('message', listener),
    onClose: closed,
  }
}

/** A line for the log of the app, sent beside the answers. */
export interface LogLine {
  t: 'log'
  message: string
}

export function isLogLine(message: unknown): message is LogLine {
  return (message as { t?: unknown } | null)?.t === 'log'
}
