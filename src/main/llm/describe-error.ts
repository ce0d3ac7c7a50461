import { causes, networkError, type NetworkError } from './network-error'
import { longWait } from './retry'
import { TransportFault, type FaultKind } from './transport-fault'
import type { LlmError } from './types'

/** Whom a call went to, as far as a message about its failure needs it. */
export interface Callee {
  /** The provider's label. */
  label: string
  model: string
  /** Host and port of its address. */
  host: string
  /** Cut out of everything that is shown. */
  key: string | null
}

/** What failed, why and what to do, for every way in which a model call can fail (`security.md` 6). */
export function describeError(error: unknown, callee: Callee): LlmError {
  const chain = causes(error)
  const fault = chain.find((item) => item instanceof TransportFault)
  if (fault) return FAULTS[fault.kind](fault.detail, callee)
  const network = networkError(error)
  if (network) return fromNetwork(network, callee)
  return fromProvider(error, callee) ?? fromUnreadable(chain, callee) ?? unknown(error, callee)
}

/** The stream ended, but the answer did not. */
export function cutOff(callee: Callee): LlmError {
  return {
    code: 'bad_response',
    message: `The answer of ${callee.label} broke off before its end.`,
    action: 'Send the message again; what arrived is kept.',
  }
}

/** A regular end with neither words nor a call. */
export function emptyAnswer(callee: Callee): LlmError {
  return {
    code: 'bad_response',
    message: `${callee.label} sent an empty answer.`,
    action: 'Send the message again, or choose another model.',
  }
}

/** The provider stopped by its own content rules. */
export function refusedByProvider(callee: Callee): LlmError {
  return {
    code: 'refused',
    message: `${callee.label} stopped this answer because of its content rules.`,
    action: 'Word the message differently, or choose another model.',
  }
}

/** Two tool calls under one id can't be answered each (A90). */
export function sameCallId(callee: Callee): LlmError {
  return {
    code: 'bad_response',
    message: `${callee.label} sent two tool calls under one id. None of them was carried out.`,
    action: 'Send the message again, or choose another model.',
  }
}

const CHECK_CONNECTION =
  'Check the network connection, that the server runs, and its address in Settings, Models.'
const CHECK_ADDRESS = 'Check the address of the provider in Settings, Models.'

const FAULTS: Record<FaultKind, (detail: string, callee: Callee) => LlmError> = {
  redirect: (detail, { host }) => ({
    code: 'redirect',
    message: `${host} sends on to ${detail || 'another address'}. Satchel did not follow, because the key would have gone along.`,
    action: 'If the new address is right, enter it with the key in Settings, Models.',
  }),
  html: (_detail, { host }) => ({
    code: 'bad_response',
    message: `${host} answered with a web page instead of a model's answer.`,
    action: `${CHECK_ADDRESS} A network sign-in page can be the cause too.`,
  }),
  not_stream: (detail, { label, key }) => ({
    code: 'bad_response',
    message: `${label} did not answer with a stream.${quote(detail, key)}`,
    action: CHECK_ADDRESS,
  }),
  empty: (_detail, { label }) => ({
    code: 'bad_response',
    message: `${label} sent an empty answer.`,
    action: 'Send the message again. If it stays empty, check the address in Settings, Models.',
  }),
  idle: (detail, { label }) => ({
    code: 'timeout',
    message: `${label} stopped sending: nothing came for ${detail}.`,
    action: 'Send the message again; what arrived is kept.',
  }),
  setup: (detail) => ({
    code: 'connection',
    message: `Nothing was sent. ${detail}`,
    action: 'Correct it in Settings, Models, or in the environment variable it came from.',
  }),
  no_response: (_detail, { host }) => ({
    code: 'timeout',
    message: `${host} took the request but did not begin to answer.`,
    action: 'Check that the server is not overloaded, then send the message again.',
  }),
}

function fromNetwork({ kind, code }: NetworkError, { host }: Callee): LlmError {
  if (kind === 'port') {
    return {
      code: 'connection',
      message: `Nothing was sent to ${host}: this port is never used for web addresses and is blocked.`,
      action: 'Enter the address with another port in Settings, Models.',
    }
  }
  if (kind === 'layer') {
    return {
      code: 'connection',
      message: `The call to ${host} failed before an answer came (${code}).`,
      action: CHECK_CONNECTION,
    }
  }
  if (kind === 'tls') {
    return {
      code: 'tls',
      message: `The certificate of ${host} is not trusted (${code}), so nothing was sent.`,
      action:
        'Check the address and the clock of this computer, or ask whoever runs the server for a valid certificate.',
    }
  }
  if (kind === 'closed') {
    return {
      code: 'connection',
      message: `${host} closed the connection before the answer was whole.`,
      action: 'Send the message again; what arrived is kept.',
    }
  }
  return {
    code: 'connection',
    message: `${host} could not be reached, or closed the connection${code === '' ? '' : ` (${code})`}.`,
    action: CHECK_CONNECTION,
  }
}

/** What the provider itself reported, as an HTTP status or as an event of the stream. */
interface Report {
  /** For an event of the stream the one that its package takes it for. */
  status: number | undefined
  /** The status in brackets, after a space; empty where the server sent none of that kind. */
  told: string
  message: string
  /** Message, type, code and body: where the kind of a failure is looked for. */
  text: string
  /** How long it asks to wait, in words, where that is too long for a try by itself. */
  wait: string | null
}

function fromProvider(error: unknown, callee: Callee): LlmError | null {
  const report = toReport(error)
  if (!report) return null
  const { label, model } = callee
  const said = quote(report.message, callee.key)
  const { code, message, action } = classify(report, label, model)
  const waits = report.wait !== null && (code === 'rate_limit' || code === 'unavailable')
  return {
    code,
    message: `${message}${said}`,
    action: waits ? `Try again in about ${report.wait}, or choose another model.` : action,
  }
}

function classify(report: Report, label: string, model: string): LlmError {
  const { status, told, text } = report
  if (isContextLength(text) && (status === undefined || status < 500)) {
    return {
      code: 'context_length',
      message: `This chat is longer than ${model} can take.`,
      action: 'Start a new chat, unload skills that are not needed, or choose a model with a larger window.',
    }
  }
  if (status === 402 || /insufficient_quota|billing|credit balance/i.test(text)) {
    return {
      code: 'billing',
      message: `${label} refused the call because the account has no credit left.`,
      action: `Add credit or raise the limit at ${label}, or choose another provider.`,
    }
  }
  // Google answers 400 for a key that it does not know.
  if (/API_KEY_INVALID|API key not valid/i.test(text)) return keyRefused(label, told)
  return byStatus(status ?? statusOfType(text), told, { label, model })
}

function keyRefused(label: string, told: string): LlmError {
  return {
    code: 'auth',
    message: `${label} did not accept the key${told}.`,
    action: 'Enter the key again in Settings, Models.',
  }
}

const OVERLOADED = 529

function byStatus(
  status: number | undefined,
  told: string,
  { label, model }: Pick<Callee, 'label' | 'model'>,
): LlmError {
  if (status === 401) return keyRefused(label, told)
  if (status === 403) {
    return {
      code: 'auth',
      message: `The key has no permission to use ${model} at ${label}${told}.`,
      action: `Check what the key may do at ${label}, or choose another model.`,
    }
  }
  if (status === 404) {
    return {
      code: 'not_found',
      message: `${label} knows no model ${model}, or its address is not right${told}.`,
      action: 'Choose another model, or check its name and the address in Settings, Models.',
    }
  }
  if (status === 413) {
    return {
      code: 'context_length',
      message: `The request is larger than ${label} takes${told}.`,
      action: 'Start a new chat, or unload skills that are not needed.',
    }
  }
  if (status === 429) {
    return {
      code: 'rate_limit',
      message: `${label} limits how many calls it takes, and the limit is reached${told}.`,
      action: 'Wait a minute, then send the message again.',
    }
  }
  return byOtherStatus(status, told, label)
}

function byOtherStatus(status: number | undefined, told: string, label: string): LlmError {
  if (status === OVERLOADED || status === 503) {
    return {
      code: 'unavailable',
      message: `${label} is overloaded or down for a while${told}.`,
      action: 'Send the message again in a few minutes, or choose another model.',
    }
  }
  if (status !== undefined && status >= 500) {
    return {
      code: 'unavailable',
      message: `${label} failed on its side${told}.`,
      action: 'Send the message again. If it keeps failing, choose another model or ask the provider.',
    }
  }
  return {
    code: 'provider',
    message: `${label} refused the call${told}.`,
    action: 'Read what the provider said, then change the message or the model.',
  }
}

/** Errors inside a stream carry a type instead of a status. */
function statusOfType(text: string): number | undefined {
  if (/overloaded/i.test(text)) return OVERLOADED
  if (/rate_limit/i.test(text)) return 429
  if (/authentication_error|invalid_api_key/i.test(text)) return 401
  if (/permission_error/i.test(text)) return 403
  if (/not_found_error|model_not_found/i.test(text)) return 404
  return /\bapi_error|server_error/i.test(text) ? 500 : undefined
}

function isContextLength(text: string): boolean {
  return /context_length_exceeded|prompt is too long|maximum context length|context (window|size|length)|too many tokens|input token count[^.]{0,80}exceeds/i.test(
    text,
  )
}

interface ProviderErrorShape {
  message?: unknown
  type?: unknown
  code?: unknown
  statusCode?: unknown
  responseBody?: unknown
  responseHeaders?: Record<string, string>
  data?: unknown
}

/** Errors of the provider packages and of `ai` are told by their shape: several classes carry the same fields. */
function toReport(error: unknown): Report | null {
  if (typeof error !== 'object' || error === null) return null
  const { message, statusCode, type, code, responseBody, responseHeaders, data } = error as ProviderErrorShape
  const status = typeof statusCode === 'number' && statusCode >= 400 ? statusCode : undefined
  const named = [type, code].some((item) => typeof item === 'string' || typeof item === 'number')
  if (status === undefined && !(named && data !== undefined)) return null
  const said = typeof message === 'string' ? message : ''
  const text = `${said} ${JSON.stringify([type, code, responseBody, data])}`
  const told = status === undefined || isStreamed(responseHeaders) ? '' : ` (${status})`
  return { status, told, message: said, text, wait: longWait(responseHeaders ?? {}, Date.now()) }
}

/** True for an error that came as an event: the headers were those of a good answer, or are not known any more. */
function isStreamed(headers: Record<string, string> | undefined): boolean {
  return headers === undefined || (headers['content-type'] ?? '').startsWith('text/event-stream')
}

/** How the packages say that a stream ended without its last event. */
const UNFINISHED = /AI_NoOutputGenerated|without a finish reason/

const UNREADABLE =
  /AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|APICall|InvalidStreamPart)/

/** The answer came, but is not what the protocol says. */
function fromUnreadable(chain: Error[], callee: Callee): LlmError | null {
  if (chain.some(({ name, message }) => UNFINISHED.test(`${name} ${message}`))) return cutOff(callee)
  const odd = chain.some(({ name, message }) => UNREADABLE.test(name) || message.includes('normalized'))
  if (!odd) return null
  return {
    code: 'bad_response',
    message: `${callee.label} sent an answer that can't be read.`,
    action:
      'Send the message again. If it stays so, check the kind and the address of the provider in Settings, Models.',
  }
}

function unknown(error: unknown, callee: Callee): LlmError {
  return {
    code: 'provider',
    message: `The call to ${callee.label} failed.${quote(error instanceof Error ? error.message : '', callee.key)}`,
    action: 'Send the message again, or choose another model.',
  }
}

/** Words of the provider, marked as such: one line, at most 300 characters, without keys. */
function quote(text: string, key: string | null): string {
  const plain = text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 2000)
  if (plain === '') return ''
  const hidden = (key === null ? plain : plain.replaceAll(key, '[key]')).replaceAll(
    /\bsk-[\w-]{6,}/g,
    '[key]',
  )
  return ` It said: "${hidden.length > 300 ? `${hidden.slice(0, 299)}…` : hidden}"`
}
