/** What the first bytes of a connection say. `more`: not enough of them yet. */
export type FirstBytes =
  | { kind: 'more' }
  | { kind: 'not-tls' }
  | { kind: 'hello'; serverName: string | null; hidden: boolean }

const HANDSHAKE = 22
const CLIENT_HELLO = 1
const SERVER_NAME = 0
/** Encrypted Client Hello: the name that can be read is then not the one that is asked for. */
const ENCRYPTED_HELLO = 0xfe0d
const RECORD_HEAD = 5
/** Of every version from SSL 3.0 to TLS 1.3. */
const MAJOR_VERSION = 3
const MAX_RECORD = 16_384 + 256
/** A longer one is not waited for. */
const MAX_HELLO = 65_536

/**
 * Which server the first message of TLS asks for. A message may be cut into records, and records into pieces, anywhere;
 * what is no such message, or contradicts itself, is `not-tls`.
 */
export function readClientHello(bytes: Buffer): FirstBytes {
  const message = handshake(bytes)
  if (!Buffer.isBuffer(message)) return { kind: message }
  try {
    const { serverName, hidden } = extensionsOf(reader(message))
    return { kind: 'hello', serverName, hidden }
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'not-tls' }
    throw error
  }
}

/** The body of the first message, put together from its records. */
function handshake(bytes: Buffer): Buffer | 'more' | 'not-tls' {
  let at = 0
  let message = Buffer.alloc(0)
  for (;;) {
    const body = bodyOf(message)
    if (body !== 'more') return body
    const record = recordAt(bytes, at)
    if (typeof record === 'string') return record
    message = Buffer.concat([message, record.bytes])
    if (!record.isWhole) return bodyOf(message) === 'not-tls' ? 'not-tls' : 'more'
    at += RECORD_HEAD + record.bytes.length
  }
}

function bodyOf(message: Buffer): Buffer | 'more' | 'not-tls' {
  if (message.length > 0 && message[0] !== CLIENT_HELLO) return 'not-tls'
  if (message.length < 4) return 'more'
  const length = message.readUIntBE(1, 3)
  if (length > MAX_HELLO) return 'not-tls'
  return message.length < 4 + length ? 'more' : message.subarray(4, 4 + length)
}

function recordAt(bytes: Buffer, at: number): { bytes: Buffer; isWhole: boolean } | 'more' | 'not-tls' {
  const head = bytes.subarray(at, at + RECORD_HEAD)
  if (head.length > 0 && head[0] !== HANDSHAKE) return 'not-tls'
  if (head.length > 1 && head[1] !== MAJOR_VERSION) return 'not-tls'
  if (head.length < RECORD_HEAD) return 'more'
  const size = head.readUInt16BE(3)
  if (size === 0 || size > MAX_RECORD) return 'not-tls'
  const found = bytes.subarray(at + RECORD_HEAD, at + RECORD_HEAD + size)
  return { bytes: found, isWhole: found.length === size }
}

interface Reader {
  take(length: number): Reader
  number(length: 1 | 2): number
  text(): string
  left(): number
}

/** Reads in order; beyond the end it throws a RangeError. */
function reader(bytes: Buffer): Reader {
  let at = 0
  const next = (length: number) => {
    if (at + length > bytes.length) throw new RangeError('beyond the end')
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    take: (length) => reader(next(length)),
    number: (length) => next(length).readUIntBE(0, length),
    text: () => next(bytes.length - at).toString('latin1'),
    left: () => bytes.length - at,
  }
}

/** Version, random, session, ciphers and compression are passed over. */
function extensionsOf(hello: Reader): { serverName: string | null; hidden: boolean } {
  hello.take(2 + 32)
  hello.take(hello.number(1))
  hello.take(hello.number(2))
  hello.take(hello.number(1))
  const found = { serverName: null as string | null, hidden: false }
  if (hello.left() === 0) return found
  const extensions = hello.take(hello.number(2))
  const seen = new Set<number>()
  while (extensions.left() > 0) {
    const type = extensions.number(2)
    const data = extensions.take(extensions.number(2))
    // Two of one kind: a server may go by the other one.
    if (seen.has(type)) throw new RangeError('twice the same extension')
    seen.add(type)
    if (type === ENCRYPTED_HELLO) found.hidden = true
    if (type === SERVER_NAME) found.serverName = serverNameIn(data)
  }
  return found
}

/** Exactly one name, of a host. */
function serverNameIn(data: Reader): string {
  const names = data.take(data.number(2))
  const kind = names.number(1)
  const name = names.take(names.number(2)).text()
  if (kind !== 0 || names.left() > 0 || data.left() > 0) throw new RangeError('not one name')
  return name
}
