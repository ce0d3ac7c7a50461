import { MessageChannel } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { z } from 'zod'
import { connect } from '@shared/ipc/client'
import { call, stream } from '@shared/ipc/define'
import type { Client, Handlers } from '@shared/ipc/define'
import type { Port } from '@shared/ipc/protocol'
import { serve } from '@shared/ipc/server'
import type { ServeOptions } from '@shared/ipc/server'

/** A small contract for the tests of the transport. */
export const contract = {
  add: call(z.object({ a: z.number(), b: z.number() }), z.number()),
  fail: call(z.object({ kind: z.string() }), z.object({})),
  wrong: call(z.object({}), z.object({ name: z.string() })),
  slow: call(z.object({}), z.object({})),
  count: stream(z.object({ to: z.number() }), z.number()),
  forever: stream(z.object({}), z.number()),
}
export type TestContract = typeof contract

export interface Link {
  client: Client<TestContract>
  /** The page's end, for messages that the client would not send. */
  raw: Port
  internalErrors: { name: string; error: unknown }[]
  close(): void
}

/** Client and server on the two ends of a real channel. */
export function link(handlers: Handlers<TestContract>, options: Partial<ServeOptions> = {}): Link {
  const { port1, port2 } = new MessageChannel()
  const internalErrors: Link['internalErrors'] = []
  const onInternalError = (name: string, error: unknown) => void internalErrors.push({ name, error })
  serve(contract, handlers, toPort(port1), { onInternalError, ...options })
  const raw = toPort(port2)
  return { client: connect<TestContract>(raw), raw, internalErrors, close: () => port2.close() }
}

function toPort(port: MessagePort): Port {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', listener),
    onClose: (listener) => void port.on('close', listener),
  }
}
