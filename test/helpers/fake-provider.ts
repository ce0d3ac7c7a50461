import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Protocol = 'anthropic' | 'openai'

export interface FakeToolCall {
  name: string
  input?: unknown
  /** Arguments as they are sent, in place of `input`: for wrong or cut JSON. */
  rawInput?: string
  id?: string
}

/** One answer. Without any field it is an empty text with a regular end. */
export interface FakeTurn {
  reasoning?: string[]
  /** Sent after the reasoning (Anthropic). */
  signature?: string
  /** One delta for each. */
  text?: string[]
  toolCalls?: FakeToolCall[]
  /** `none`: the stream ends without saying so. `refusal`: the provider's content rules. */
  finish?: 'length' | 'refusal' | 'none'
  usage?: { input: number; output: number }
  /** An error event inside the stream, in place of the end. */
  streamError?: { type: string; message: string }

  /** Any other status than 200 answers with an error of the protocol, unless `body` is given. */
  status?: number
  headers?: Record<string, string>
  errorMessage?: string
  /** Sent as it is, in place of a stream. */
  body?: string
  contentType?: string

  /** Awaited before each event of the stream, counted from 0: holds an answer where a test wants it. */
  gate?: (event: number) => Promise<void> | void
  /** Says nothing more after so many events, until the client goes away; -1: not even headers. */
  hangAfter?: number
  /** Ends the answer after so many bytes of the stream. */
  cutAfter?: number
  /** Breaks the connection instead of ending it, where the stream ends or is cut. */
  reset?: boolean
  /** Written in pieces of so many bytes. */
  pieceBytes?: number
}

export interface RecordedRequest {
  method: string
  /** With the query. */
  path: string
  headers: IncomingMessage['headers']
  /** Parsed when it is JSON, else the text. */
  body: unknown
  /** The client went away before the answer ended. */
  aborted: boolean
}

export interface FakeProvider {
  /** Base URL for both protocols: http://127.0.0.1:port/v1. */
  url: string
  /** Every request to a model, in order; `modelRequests` holds those to /v1/models. */
  requests: RecordedRequest[]
  modelRequests: RecordedRequest[]
  /** Answers for the next requests, in order. A request without one gets status 500. */
  queue(...turns: FakeTurn[]): void
  /** Used when the queue is empty. */
  answerWith(answer: (request: RecordedRequest) => FakeTurn): void
  /** What /v1/models answers. */
  models: string[]
  /** Answers /v1/models in place of the list. */
  modelsTurn: FakeTurn | null
  /** Resolves once so many requests have arrived. */
  received(count: number): Promise<RecordedRequest>
  /** Resolves once the client has dropped the given request, counted from 1. */
  dropped(count: number): Promise<void>
  close(): Promise<void>
}

/** A provider on 127.0.0.1 that speaks Anthropic Messages and OpenAI Chat Completions, with every fault on demand. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const turns: FakeTurn[] = []
  const waiting = new Set<() => void>()
  let answer: ((request: RecordedRequest) => FakeTurn) | null = null
  const changed = () => {
    for (const check of waiting) check()
  }
  const until = (met: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!met()) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy())
  })
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = await record(request)
    response.on('close', () => {
      recorded.aborted = !response.writableFinished
      changed()
    })
    if (recorded.path.startsWith('/v1/models')) {
      fake.modelRequests.push(recorded)
      await send(response, fake.modelsTurn ?? { body: modelList(fake.models) }, 'openai')
      return
    }
    const protocol = protocolOf(recorded.path)
    fake.requests.push(recorded)
    const turn = turns.shift() ?? answer?.(recorded) ?? { status: 500, errorMessage: 'no turn is queued' }
    changed()
    if (protocol) await send(response, turn, protocol)
    else
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no route"}}')
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const fake: FakeProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    modelRequests: [],
    models: ['model-a', 'model-b'],
    modelsTurn: null,
    queue: (...next) => void turns.push(...next),
    answerWith(next) {
      answer = next
    },
    async received(count) {
      await until(() => fake.requests.length >= count)
      return fake.requests[count - 1] as RecordedRequest
    },
    dropped: (count) => until(() => fake.requests[count - 1]?.aborted === true),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return fake
}

/** The events of an answer as text, each with its empty line. */
export function sseEvents(protocol: Protocol, turn: FakeTurn): string[] {
  return protocol === 'anthropic'
    ? anthropicEvents(turn).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    : openAiChunks(turn).map((chunk) => `data: ${chunk}\n\n`)
}

async function send(response: ServerResponse, turn: FakeTurn, protocol: Protocol): Promise<void> {
  if (turn.hangAfter === -1) return
  const status = turn.status ?? 200
  const body = turn.body ?? (status === 200 ? undefined : errorBody(protocol, status, turn.errorMessage))
  const type = turn.contentType ?? (body === undefined ? 'text/event-stream' : 'application/json')
  response.writeHead(status, { 'content-type': type, ...turn.headers })
  if (body !== undefined) {
    response.end(body)
    return
  }
  response.flushHeaders()
  await sendStream(response, turn, protocol)
}

async function sendStream(response: ServerResponse, turn: FakeTurn, protocol: Protocol): Promise<void> {
  let left = turn.cutAfter ?? Number.POSITIVE_INFINITY
  for (const [index, event] of sseEvents(protocol, turn).entries()) {
    await turn.gate?.(index)
    if (response.destroyed || turn.hangAfter === index) return
    const bytes = Buffer.from(event).subarray(0, left)
    left -= bytes.length
    await writePieces(response, bytes, turn.pieceBytes ?? bytes.length)
    if (left === 0) break
  }
  if (turn.reset) response.destroy()
  else response.end()
}

async function writePieces(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise<void>((resolve) => {
      response.write(bytes.subarray(at, at + size), () => resolve())
    })
  }
}

async function record(request: IncomingMessage): Promise<RecordedRequest> {
  let text = ''
  request.setEncoding('utf8')
  for await (const piece of request) text += String(piece)
  const { method = '', url = '', headers } = request
  return { method, path: url, headers, body: parsed(text), aborted: false }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: kept as text.
    return text
  }
}

function protocolOf(path: string): Protocol | null {
  if (path.startsWith('/v1/messages')) return 'anthropic'
  return path.startsWith('/v1/chat/completions') ? 'openai' : null
}

function modelList(models: string[]): string {
  return JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) })
}

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function errorBody(protocol: Protocol, status: number, message = `status ${status}`): string {
  const type = ERROR_TYPES[status] ?? 'api_error'
  return JSON.stringify(
    protocol === 'anthropic'
      ? { type: 'error', error: { type, message } }
      : { error: { message, type, param: null, code: null } },
  )
}

interface AnthropicEvent {
  type: string
  [field: string]: unknown
}

function anthropicEvents(turn: FakeTurn): AnthropicEvent[] {
  const { input, output } = turn.usage ?? { input: 100, output: 20 }
  const message = {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model: 'model-a',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: 1 },
  }
  const start: AnthropicEvent[] = [{ type: 'message_start', message }, { type: 'ping' }]
  const blocks = anthropicBlocks(turn).flatMap(({ block, deltas }, index): AnthropicEvent[] => [
    { type: 'content_block_start', index, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ])
  if (turn.streamError) return [...start, ...blocks, { type: 'error', error: turn.streamError }]
  if (turn.finish === 'none') return [...start, ...blocks]
  const reasons = { length: 'max_tokens', refusal: 'refusal' }
  const reason = turn.finish ? reasons[turn.finish] : turn.toolCalls ? 'tool_use' : 'end_turn'
  return [
    ...start,
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: output },
    },
    { type: 'message_stop' },
  ]
}

function anthropicBlocks(turn: FakeTurn): { block: object; deltas: object[] }[] {
  const blocks: { block: object; deltas: object[] }[] = []
  if (turn.reasoning) {
    const deltas: object[] = turn.reasoning.map((thinking) => ({ type: 'thinking_delta', thinking }))
    if (turn.signature) deltas.push({ type: 'signature_delta', signature: turn.signature })
    blocks.push({ block: { type: 'thinking', thinking: '', signature: '' }, deltas })
  }
  if (turn.text) {
    const deltas = turn.text.map((text) => ({ type: 'text_delta', text }))
    blocks.push({ block: { type: 'text', text: '' }, deltas })
  }
  for (const [index, call] of (turn.toolCalls ?? []).entries()) {
    const id = call.id ?? `toolu_${index + 1}`
    const deltas = argumentPieces(call).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    blocks.push({ block: { type: 'tool_use', id, name: call.name, input: {} }, deltas })
  }
  return blocks
}

function openAiChunks(turn: FakeTurn): string[] {
  const chunk = (choices: object[], usage: object | null = null) =>
    JSON.stringify({
      id: 'chatcmpl_fake',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'model-a',
      choices,
      usage,
    })
  const delta = (fields: object, finish: string | null = null) =>
    chunk([{ index: 0, delta: fields, finish_reason: finish }])
  const content = [
    delta({ role: 'assistant', content: '' }),
    ...(turn.reasoning ?? []).map((reasoning_content) => delta({ reasoning_content })),
    ...(turn.text ?? []).map((text) => delta({ content: text })),
    ...(turn.toolCalls ?? []).flatMap((call, index) =>
      toolDeltas(call, index).map((part) => delta({ tool_calls: [part] })),
    ),
  ]
  if (turn.streamError) return [...content, JSON.stringify({ error: turn.streamError })]
  if (turn.finish === 'none') return content
  const reasons = { length: 'length', refusal: 'content_filter' }
  const reason = turn.finish ? reasons[turn.finish] : turn.toolCalls ? 'tool_calls' : 'stop'
  const { input, output } = turn.usage ?? { input: 100, output: 20 }
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  return [...content, delta({}, reason), chunk([], usage), '[DONE]']
}

function toolDeltas(call: FakeToolCall, index: number): object[] {
  const id = call.id ?? `call_${index + 1}`
  const first = { index, id, type: 'function', function: { name: call.name, arguments: '' } }
  return [first, ...argumentPieces(call).map((text) => ({ index, function: { arguments: text } }))]
}

/** Pieces of seven characters, as arguments arrive. */
function argumentPieces(call: FakeToolCall): string[] {
  const text = call.rawInput ?? JSON.stringify(call.input ?? {})
  return text.match(/[\s\S]{1,7}/g) ?? []
}
