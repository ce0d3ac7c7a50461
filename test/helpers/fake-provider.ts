import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { anthropicEvents, openAiChunks } from './fake-provider-chat'
import { googleChunks, responsesEvents } from './fake-provider-items'
import { refusalOf } from './fake-provider-refusal'
import type { FakeTurn, Protocol } from './fake-provider-turn'

export type { FakeToolCall, FakeTurn, Protocol } from './fake-provider-turn'

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
  /** Base URL for all protocols: http://127.0.0.1:port/v1. */
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
  /** Which list /v1/models answers with; Google names them otherwise. */
  modelsAs: 'openai' | 'google'
  /** Answers /v1/models in place of the list. */
  modelsTurn: FakeTurn | null
  /** What Ollama's own list, /api/tags, answers; null: there is none. */
  tags: string[] | null
  /** Resolves once so many requests have arrived. */
  received(count: number): Promise<RecordedRequest>
  /** Resolves once the client has dropped the given request, counted from 1. */
  dropped(count: number): Promise<void>
  close(): Promise<void>
}

/** A provider on 127.0.0.1 that speaks all four streaming protocols, with every fault on demand. */
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
    const protocol = protocolOf(recorded.path)
    if (!protocol && /^\/(?:v1\/models|api\/tags)/.test(recorded.path)) {
      fake.modelRequests.push(recorded)
      await send(response, listTurn(fake, recorded.path), 'openai')
      return
    }
    fake.requests.push(recorded)
    const turn = turns.shift() ?? answer?.(recorded) ?? { status: 500, errorMessage: 'no turn is queued' }
    const refusal = protocol && refusalOf(protocol, recorded.body)
    changed()
    if (refusal) await send(response, { status: 400, errorMessage: refusal }, protocol)
    else if (protocol) await send(response, turn, protocol)
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
    modelsAs: 'openai',
    modelsTurn: null,
    tags: null,
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
  const alive = Array.from({ length: turn.keepAlives ?? 0 }, () => ': keep-alive\n\n')
  return [...alive, ...EVENTS[protocol](turn)]
}

const EVENTS: Record<Protocol, (turn: FakeTurn) => string[]> = {
  anthropic: (turn) => anthropicEvents(turn).map(namedEvent),
  openai: (turn) => openAiChunks(turn).map((chunk) => `data: ${chunk}\n\n`),
  'openai-responses': (turn) => responsesEvents(turn).map(namedEvent),
  google: (turn) => googleChunks(turn).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`),
}

function namedEvent(event: { type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

async function send(response: ServerResponse, turn: FakeTurn, protocol: Protocol): Promise<void> {
  if (turn.hangAfter === -1) return
  const status = turn.status ?? 200
  const body = turn.body ?? (status === 200 ? undefined : errorBody(protocol, status, turn.errorMessage))
  const type = turn.contentType ?? (body === undefined ? 'text/event-stream' : 'application/json')
  const encoding = turn.gzip ? { 'content-encoding': 'gzip' } : {}
  response.writeHead(status, { 'content-type': type, ...encoding, ...turn.headers })
  if (body !== undefined) {
    response.end(body)
    return
  }
  response.flushHeaders()
  await sendStream(response, turn, protocol)
}

async function sendStream(response: ServerResponse, turn: FakeTurn, protocol: Protocol): Promise<void> {
  let left = turn.cutAfter ?? Number.POSITIVE_INFINITY
  for (const [index, event] of written(protocol, turn).entries()) {
    await turn.gate?.(index)
    if (response.destroyed || turn.hangAfter === index) return
    const bytes = event.subarray(0, left)
    left -= bytes.length
    await writePieces(response, bytes, turn.pieceBytes ?? bytes.length)
    if (left === 0) break
  }
  if (turn.reset) response.destroy()
  else response.end()
}

function written(protocol: Protocol, turn: FakeTurn): Buffer[] {
  const events = sseEvents(protocol, turn)
  return turn.gzip ? [gzipSync(events.join(''))] : events.map((event) => Buffer.from(event))
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
  if (path.startsWith('/v1/chat/completions')) return 'openai'
  if (path.startsWith('/v1/responses')) return 'openai-responses'
  return /^\/v1\/models\/.+:streamGenerateContent\?alt=sse$/.test(path) ? 'google' : null
}

function listTurn(fake: FakeProvider, path: string): FakeTurn {
  if (path.startsWith('/api/tags')) {
    return fake.tags === null
      ? { status: 404 }
      : { body: JSON.stringify({ models: fake.tags.map((name) => ({ name, size: 1 })) }) }
  }
  return fake.modelsTurn ?? { body: modelList(fake.models, fake.modelsAs) }
}

function modelList(models: string[], form: FakeProvider['modelsAs']): string {
  return JSON.stringify(
    form === 'openai'
      ? { object: 'list', data: models.map((id) => ({ id, object: 'model' })) }
      : {
          models: [
            ...models.map((id) => ({
              name: `models/${id}`,
              supportedGenerationMethods: ['generateContent', 'countTokens'],
            })),
            { name: 'models/embedder', supportedGenerationMethods: ['embedContent'] },
          ],
        },
  )
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
  if (protocol === 'anthropic') return JSON.stringify({ type: 'error', error: { type, message } })
  if (protocol === 'google') return JSON.stringify({ error: { code: status, message, status: 'FAILED' } })
  return JSON.stringify({ error: { message, type, param: null, code: null } })
}
