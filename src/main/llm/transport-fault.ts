/** What can go wrong below the protocol, found before or beside the provider package. */
export type FaultKind = 'redirect' | 'html' | 'not_stream' | 'empty' | 'idle' | 'no_response' | 'setup'

/** A failure of the transport. `detail` is for people: a host, seconds, what the server said, or a sentence. */
export class TransportFault extends Error {
  readonly kind: FaultKind
  readonly detail: string

  constructor(kind: FaultKind, detail = '') {
    super(detail === '' ? kind : `${kind}: ${detail}`)
    this.name = 'TransportFault'
    this.kind = kind
    this.detail = detail
  }
}
