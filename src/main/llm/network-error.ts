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
  kind: 'tls' | 'connection'
  /** The system's own name for it, such as ECONNREFUSED. */
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

/** Tells a failed connection from a certificate that is not trusted; null when it is neither. */
export function networkError(error: unknown): NetworkError | null {
  for (const { code, message, name } of causes(error) as (Error & { code?: unknown })[]) {
    const found = typeof code === 'string' ? code : (/net::(ERR_[A-Z0-9_]+)/.exec(message)?.[1] ?? '')
    if (isTls(found)) return { kind: 'tls', code: found }
    if (isConnection(found)) return { kind: 'connection', code: found }
    if (name === 'TypeError' && message === 'terminated') return { kind: 'connection', code: 'ECONNRESET' }
  }
  const first = causes(error)[0]
  return first?.name === 'TypeError' && /^(fetch failed|failed to fetch)$/i.test(first.message)
    ? { kind: 'connection', code: '' }
    : null
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
