const TLS_CODES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'HOSTNAME_MISMATCH',
])

export interface NetworkError {
  /**
   * `port`: one that is blocked for web addresses. `layer`: any other failure before something was sent. `closed`:
   * while the answer came.
   */
  kind: 'tls' | 'connection' | 'port' | 'layer' | 'closed'
  /** The system's own name for it, such as ECONNREFUSED, or its words; can be empty. */
  code: string
}

/** The errors from `error` down to its first cause, at most ten. */
export function causes(error: unknown): Error[] {
  const chain: Error[] = []
  let current = error
  while (current instanceof Error && chain.length < 10 && !chain.includes(current)) {
    chain.push(current)
    current = current instanceof AggregateError ? current.errors[0] : current.cause
  }
  return chain
}

/** Tells apart what can fail below the protocol; null when the failure is another. */
export function networkError(error: unknown): NetworkError | null {
  const chain = causes(error)
  for (const item of chain) {
    const found = byCode(item) ?? byMessage(item)
    if (found) return found
  }
  return failedFetch(chain)
}

/** Node names failures by codes, Chromium in its messages. */
function byCode({ code, message }: Error & { code?: unknown }): NetworkError | null {
  const inMessage = /net::(ERR_[A-Z0-9_]+)/.exec(message)?.[1]
  const found = typeof code === 'string' ? code : (inMessage ?? '')
  if (isTls(found)) return { kind: 'tls', code: found }
  if (isConnection(found)) return { kind: 'connection', code: found }
  if (found === 'ERR_UNSAFE_PORT') return { kind: 'port', code: found }
  return inMessage === undefined ? null : { kind: 'layer', code: inMessage }
}

function byMessage({ name, message }: Error): NetworkError | null {
  if (name === 'TypeError' && message === 'terminated') return { kind: 'closed', code: '' }
  return message === 'bad port' ? { kind: 'port', code: '' } : null
}

/** What `fetch` itself, or the provider package in its place, says when no answer came; its last cause is in words. */
function failedFetch(chain: readonly Error[]): NetworkError | null {
  const at = chain.findIndex(({ name, message }) =>
    name === 'TypeError'
      ? /^(fetch failed|failed to fetch)$/i.test(message)
      : name === 'AI_APICallError' && message.startsWith('Cannot connect to API'),
  )
  if (at === -1) return null
  const cause = chain.slice(at + 1).at(-1)?.message ?? ''
  return {
    kind: 'connection',
    code: cause
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, 120),
  }
}

function isTls(code: string): boolean {
  return TLS_CODES.has(code) || /^ERR_(TLS|SSL|CERT)_/.test(code)
}

function isConnection(code: string): boolean {
  return (
    /^(E[A-Z]*CONN[A-Z]*|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/.test(
      code,
    ) ||
    /^UND_ERR_(SOCKET|CLOSED|CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT)$/.test(code) ||
    /^ERR_(CONNECTION|NAME|ADDRESS|INTERNET|NETWORK|TIMED|EMPTY|SOCKET|PROXY|TUNNEL)_?/.test(code)
  )
}
