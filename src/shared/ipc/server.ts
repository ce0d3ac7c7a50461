import { AppError, toWire } from '../errors'
import type { ContractDef, Handlers } from './define'
import { CREDITS, MAX_REQUEST, Request } from './protocol'
import type { Port, Response } from './protocol'

export interface ServeOptions {
  /** Called with what is not an AppError, before it is replaced by a fixed text. */
  onInternalError(name: string, error: unknown): void
  /** Check answers against the contract too; for development and tests. */
  checkOutput?: boolean
  /** Requests a second before further ones are refused. */
  ratePerSecond?: number
}

interface OpenStream {
  credits: number
  wake: (() => void) | undefined
  abort: AbortController
}

type Asked = Extract<Request, { t: 'call' | 'open' }>
type AnyHandler = (input: unknown, signal?: AbortSignal) => unknown

interface Link {
  contract: ContractDef
  handlers: Record<string, AnyHandler>
  options: ServeOptions
  streams: Map<number, OpenStream>
  allow(): boolean
  send(message: Response): void
}

/**
 * Answers the requests of one port until it closes. Input is always checked; an unknown name, a wrong shape, a
 * request of over 1 MB and a flood are refused with a typed error. A stream stops asking its source for more
 * while the reader owes it 32 acknowledgements.
 */
export function serve<C extends ContractDef>(
  contract: C,
  handlers: Handlers<C>,
  port: Port,
  options: ServeOptions,
): void {
  const link: Link = {
    contract,
    handlers: handlers as unknown as Record<string, AnyHandler>,
    options,
    streams: new Map(),
    allow: rateLimit(options.ratePerSecond ?? 500),
    send: (message) => port.post(message),
  }
  port.onMessage((raw) => {
    const parsed = Request.safeParse(raw)
    if (!parsed.success) return
    const request = parsed.data
    if (request.t === 'credit') addCredit(link.streams.get(request.id), request.n)
    else if (request.t === 'close') link.streams.get(request.id)?.abort.abort()
    else void answer(link, request)
  })
  port.onClose(() => {
    for (const open of link.streams.values()) open.abort.abort()
  })
}

async function answer(link: Link, request: Asked): Promise<void> {
  try {
    if (!link.allow()) throw new AppError('busy', 'Too many requests at once. Wait a moment, then try again.')
    const input = checkInput(link.contract, request)
    if (request.t === 'call') await answerCall(link, request, input)
    else await answerStream(link, request, input)
  } catch (error) {
    if (!(error instanceof AppError)) link.options.onInternalError(request.name, error)
    link.send({ t: request.t === 'call' ? 'error' : 'end', id: request.id, error: toWire(error) })
  }
}

function checkInput(contract: ContractDef, request: Asked): unknown {
  const def = Object.hasOwn(contract, request.name) ? contract[request.name] : undefined
  if (!def || (def.kind === 'call') !== (request.t === 'call')) {
    throw new AppError('bad_input', `There is no ${request.t} named "${request.name.slice(0, 64)}".`)
  }
  if (sizeOf(request.input) > MAX_REQUEST) {
    throw new AppError('too_large', 'This request is larger than 1 MB. Send less at once.')
  }
  const parsed = def.input.safeParse(request.input)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = issue?.path.join('.') || 'input'
  throw new AppError('bad_input', `"${request.name}": ${where}: ${issue?.message ?? 'wrong'}`)
}

/** Characters of its JSON. What JSON can't hold (a BigInt, a cycle) passes a port, but no call takes it. */
function sizeOf(input: unknown): number {
  try {
    return JSON.stringify(input ?? null).length
  } catch {
    throw new AppError('bad_input', 'This request holds values that are not JSON. Send plain data.')
  }
}

function checked(link: Link, name: string, value: unknown): unknown {
  return link.options.checkOutput ? link.contract[name]!.output.parse(value) : value
}

async function answerCall(link: Link, request: Asked, input: unknown): Promise<void> {
  const value = await link.handlers[request.name]!(input)
  link.send({ t: 'result', id: request.id, value: checked(link, request.name, value) })
}

async function answerStream(link: Link, request: Asked, input: unknown): Promise<void> {
  if (link.streams.has(request.id)) throw new AppError('bad_input', `Stream ${request.id} is open already.`)
  const open: OpenStream = { credits: CREDITS, wake: undefined, abort: new AbortController() }
  const { signal } = open.abort
  link.streams.set(request.id, open)
  signal.addEventListener('abort', () => open.wake?.())
  try {
    const source = link.handlers[request.name]!(input, signal) as AsyncIterable<unknown>
    for await (const value of source) {
      if (signal.aborted) return
      link.send({ t: 'event', id: request.id, value: checked(link, request.name, value) })
      open.credits -= 1
      if (open.credits <= 0) await credit(open)
      if (signal.aborted) return
    }
    if (!signal.aborted) link.send({ t: 'end', id: request.id })
  } finally {
    link.streams.delete(request.id)
    open.abort.abort()
  }
}

function credit(open: OpenStream): Promise<void> {
  return new Promise((resolve) => {
    open.wake = resolve
    if (open.credits > 0 || open.abort.signal.aborted) resolve()
  })
}

function addCredit(open: OpenStream | undefined, n: number): void {
  if (!open) return
  open.credits = Math.min(CREDITS, open.credits + n)
  open.wake?.()
}

/** A bucket that refills by time: allows bursts of one second's worth. */
function rateLimit(perSecond: number): () => boolean {
  let tokens = perSecond
  let last = performance.now()
  return () => {
    const now = performance.now()
    tokens = Math.min(perSecond, tokens + ((now - last) / 1000) * perSecond)
    last = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
