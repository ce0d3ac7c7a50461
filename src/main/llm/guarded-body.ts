import { faultPoint } from '../lib/fault-point'
import type { Timing } from './timing'
import { TransportFault } from './transport-fault'

const JSON_LIMIT = 10_000

interface BodyGuard {
  timing: Timing
  /** Look at the first byte: an event stream begins with neither `<` nor `{`. */
  sniff: boolean
  /** Sees what is known to belong to an event stream. */
  onBytes?: (bytes: Uint8Array) => void
  /** Ends the request. */
  stop(reason: Error): void
}

interface State {
  reader: ReadableStreamDefaultReader<Uint8Array>
  /** True once a byte was seen that tells what the body is. */
  known: boolean
  last: number | undefined
  /** When more than a sign of life arrived, or the answer began; milliseconds. */
  heard: number
}

/** The same bytes, ended with a `TransportFault` when they stop coming, never come, or are no event stream. */
export function guardBody(body: ReadableStream<Uint8Array>, guard: BodyGuard): ReadableStream<Uint8Array> {
  const state: State = {
    reader: body.getReader(),
    known: !guard.sniff,
    last: undefined,
    heard: guard.timing.now(),
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await readInTime(state.reader, guard)
      faultPoint('stream.mid-chunk')
      if (!state.known) await sniff(state, guard, done ? null : value)
      if (done) {
        const ending = guard.sniff ? missingEnd(state.last) : ''
        if (ending !== '') controller.enqueue(new TextEncoder().encode(ending))
        controller.close()
      } else {
        state.last = value.at(-1) ?? state.last
        if (state.known) guard.onBytes?.(value)
        refuseSignsOfLife(state, guard, value)
        controller.enqueue(value)
      }
    },
    async cancel(reason) {
      await state.reader.cancel(reason)
    },
  })
}

/** Comments and pings, which say only that the connection lives. */
const SIGNS_OF_LIFE =
  /^(?:\s|:[^\r\n]*(?![^\r\n])|event: ?ping(?![^\r\n])|data: ?\{"type": ?"ping"\}(?![^\r\n]))*$/
const LONGEST_SIGN = 1000

/** A server that keeps the connection alive but never goes on is silent too: it has as long as it may take to begin. */
function refuseSignsOfLife(state: State, guard: BodyGuard, value: Uint8Array): void {
  const { timing } = guard
  const isSign = value.length <= LONGEST_SIGN && SIGNS_OF_LIFE.test(new TextDecoder().decode(value))
  if (!isSign) state.heard = timing.now()
  else if (timing.now() - state.heard >= timing.responseMs) {
    throw refused(guard, new TransportFault('idle', `${Math.round(timing.responseMs / 1000)} s`))
  }
}

/** Some servers leave out the empty line that ends the last event, or end their lines with CR alone. */
function missingEnd(last: number | undefined): string {
  if (last === 0x0a || last === 0x0d) return '\n'
  return last === 0x7d ? '\n\n' : ''
}

async function readInTime(reader: State['reader'], guard: BodyGuard) {
  const { timing } = guard
  let cancel: () => void = () => undefined
  const late = new Promise<never>((_resolve, reject) => {
    cancel = timing.after(timing.idleMs, () => {
      const fault = new TransportFault('idle', `${Math.round(timing.idleMs / 1000)} s`)
      reject(fault)
      guard.stop(fault)
    })
  })
  try {
    return await Promise.race([reader.read(), late])
  } finally {
    cancel()
  }
}

async function sniff(state: State, guard: BodyGuard, chunk: Uint8Array | null): Promise<void> {
  if (chunk === null) throw new TransportFault('empty')
  const text = new TextDecoder().decode(chunk).trimStart()
  if (text === '') return
  state.known = true
  if (text.startsWith('<')) throw refused(guard, new TransportFault('html'))
  if (text.startsWith('{')) {
    throw refused(guard, new TransportFault('not_stream', await jsonMessage(state, guard, text)))
  }
}

function refused(guard: BodyGuard, fault: TransportFault): TransportFault {
  guard.stop(fault)
  return fault
}

/** What a server said that answered with one JSON object: its error message, or nothing. */
async function jsonMessage(state: State, guard: BodyGuard, start: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = start
  while (text.length < JSON_LIMIT) {
    const { done, value } = await readInTime(state.reader, guard)
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string }
    const message = typeof error === 'string' ? error : error?.message
    return typeof message === 'string' ? message : ''
  } catch {
    // Not JSON after all: there is nothing to quote.
    return ''
  }
}
