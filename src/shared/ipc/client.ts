import { AppError, fromWire } from '../errors'
import type { Client, ContractDef } from './define'
import type { Port, Request, Response } from './protocol'

interface PendingCall {
  resolve(value: unknown): void
  reject(error: Error): void
}

interface Reader {
  event(value: unknown): void | Promise<void>
  end?(error?: Error): void
}

/** Speaks to `serve` over a port. When the port closes, every open call is refused and every stream ends. */
export function connect<C extends ContractDef>(port: Port): Client<C> {
  let nextId = 1
  const calls = new Map<number, PendingCall>()
  const readers = new Map<number, Reader>()
  const send = (message: Request) => port.post(message)

  port.onMessage((raw) => {
    const message = raw as Response
    if (message.t === 'result') settle(message.id)?.resolve(message.value)
    else if (message.t === 'error') settle(message.id)?.reject(fromWire(message.error))
    else if (message.t === 'event') void deliver(message.id, message.value)
    else if (message.t === 'end') end(message.id, message.error ? fromWire(message.error) : undefined)
  })
  port.onClose(() => {
    const gone = new AppError('cancelled', 'The connection to the app was closed.')
    for (const pending of calls.values()) pending.reject(gone)
    calls.clear()
    for (const id of readers.keys()) end(id, gone)
  })

  function settle(id: number): PendingCall | undefined {
    const pending = calls.get(id)
    calls.delete(id)
    return pending
  }

  async function deliver(id: number, value: unknown): Promise<void> {
    try {
      await readers.get(id)?.event(value)
    } finally {
      if (readers.has(id)) send({ t: 'credit', id, n: 1 })
    }
  }

  function end(id: number, error: Error | undefined): void {
    const reader = readers.get(id)
    readers.delete(id)
    reader?.end?.(error)
  }

  return {
    call(name, input) {
      const id = nextId++
      return new Promise((resolve, reject) => {
        calls.set(id, { resolve, reject })
        send({ t: 'call', id, name, input })
      })
    },
    stream(name, input, on) {
      const id = nextId++
      readers.set(id, on)
      send({ t: 'open', id, name, input })
      return () => {
        if (readers.delete(id)) send({ t: 'close', id })
      }
    },
  }
}
