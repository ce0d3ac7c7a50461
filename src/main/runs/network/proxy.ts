import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { NetworkRecord } from '@shared/domain/run'
import { allowsHost, hostName } from '@shared/network-host'
import { createAddresses, type Names, type Resolved } from './addresses'
import { readClientHello } from './client-hello'
import { createReached } from './reached'

/** The one way out of a run's sandbox. */
export interface Proxy {
  server: Server
  /** A program inside reached it: whatever runs there from then on had its network as it was allowed. */
  isReady(): boolean
  record(): NetworkRecord
  /** Ends every connection and listens no more. */
  close(): void
}

export interface ProxyDeps extends Names {
  /** In their one spelling. */
  hosts: readonly string[]
  /** Takes secrets out of what a script names: it stands in records. */
  clean(text: string): string
}

interface Context {
  deps: ProxyDeps
  addressOf: (name: string, port: number) => Promise<Resolved>
  reached: ReturnType<typeof createReached>
  open: Set<Duplex>
}

/** Connections of one run at once. */
const MOST_OPEN = 128
const CONNECT_MS = 10_000
const HELLO_MS = 15_000
/** More bytes than this are no beginning of TLS. */
const MOST_HELLO = 131_072

/**
 * A proxy for `CONNECT` and nothing else: the bytes of TLS between a program and one of `hosts`, at the port that stands
 * there, each by its name. It is asked for the name, the name is resolved here and only here, and the address that
 * passed is the one that is connected to. TLS must ask for that name too, in clear; no other bytes pass.
 */
export function createProxy(deps: ProxyDeps): Proxy {
  const context: Context = {
    deps,
    addressOf: createAddresses(deps),
    reached: createReached(deps.clean),
    open: new Set(),
  }
  let ready = false
  const server = createServer({ maxHeaderSize: 8192, requestTimeout: CONNECT_MS })
  server.on('connection', (socket) => {
    hold(context, socket)
    if (context.open.size > MOST_OPEN) socket.destroy()
  })
  // The relay inside says that it is there.
  server.on('request', (request, response) => {
    const isHello = request.method === 'OPTIONS' && request.url === '*'
    if (isHello) ready = true
    else refused(context, targetOf(request), 'only TLS by CONNECT is let through')
    response.writeHead(isHello ? 204 : 403, { connection: 'close', 'content-type': 'text/plain' })
    response.end(isHello ? '' : `${SAY} Only TLS by CONNECT is let through.\n`)
  })
  server.on('connect', (request, socket, head) => {
    void tunnel(context, request.url ?? '', socket, head).catch(() => socket.destroy())
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  return {
    server,
    isReady: () => ready,
    record: context.reached.record,
    close() {
      server.close()
      for (const socket of context.open) socket.destroy()
    },
  }
}

const SAY = 'Satchel let nothing through:'

async function tunnel(context: Context, target: string, client: Duplex, head: Buffer): Promise<void> {
  const asked = authority(target)
  if (asked === null) return refuse(context, client, { target, why: 'it is not the name of a host' })
  const { name, port } = asked
  if (!allowsHost(context.deps.hosts, name, port))
    return refuse(context, client, { target, why: 'it is not allowed' })
  const found = await context.addressOf(name, port)
  if ('denied' in found) return refuse(context, client, { target, why: `it ${found.denied}` })
  if ('unknown' in found) return answer(client, 502, `The name ${name} was not found.`)
  if (client.destroyed) return
  const host = await dialFirst(context, found.addresses, port, client)
  if (host === null) return answer(client, 502, `${name} does not answer.`)
  if (client.destroyed) return void host.destroy()
  client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  await join(context, { client, host, head }, asked)
}

interface Ends {
  client: Duplex
  host: Socket
  /** What came right behind the request. */
  head: Buffer
}

/** Lets bytes through once the first of them asked for the same name; until then the host has got none. */
async function join(context: Context, { client, host, head }: Ends, asked: Asked): Promise<void> {
  const begun = await firstBytes(client, head)
  const why = begun === null ? 'it did not begin as TLS' : whyNotThat(begun, asked.name)
  if (begun === null || why !== null || host.destroyed || client.destroyed) {
    if (why !== null) refused(context, textOf(asked), why)
    client.destroy()
    host.destroy()
    return
  }
  context.reached.add(textOf(asked), host.remoteAddress ?? '')
  client.once('close', () => host.destroy())
  host.once('close', (failed) => (failed ? client.destroy() : client.end()))
  host.write(begun)
  client.pipe(host)
  host.pipe(client)
}

/** Why the beginning of a connection may not go to `name`; null: it may. */
function whyNotThat(begun: Buffer, name: string): string | null {
  const hello = readClientHello(begun)
  if (hello.kind !== 'hello') return 'it did not begin as TLS'
  if (hello.hidden) return 'TLS hid which name it asks for'
  if (hello.serverName === null) return 'TLS did not say which name it asks for'
  return hostName(hello.serverName) === name
    ? null
    : `TLS asked for another name, ${hello.serverName.slice(0, 253)}`
}

/** Everything up to the end of the first message; null: it does not become one in time. */
function firstBytes(client: Duplex, head: Buffer): Promise<Buffer | null> {
  return new Promise((resolve) => {
    let bytes: Buffer = head
    const timer = setTimeout(() => end(null), HELLO_MS)
    const end = (result: Buffer | null) => {
      clearTimeout(timer)
      client.pause()
      client.off('data', take)
      client.off('end', gone)
      client.off('close', gone)
      resolve(result)
    }
    const gone = () => end(null)
    const look = () => {
      const { kind } = readClientHello(bytes)
      if (kind === 'hello') end(bytes)
      else if (kind === 'not-tls' || bytes.length > MOST_HELLO) end(null)
    }
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      look()
    }
    client.on('data', take).on('end', gone).on('close', gone)
    if (bytes.length > 0) look()
  })
}

/** The first that answers: one of another family may lead nowhere from here. */
async function dialFirst(
  context: Context,
  addresses: readonly string[],
  port: number,
  client: Duplex,
): Promise<Socket | null> {
  for (const address of addresses) {
    if (client.destroyed) return null
    const socket = await dial(context, address, port)
    if (socket !== null) return socket
  }
  return null
}

/** Connects to an address that passed; null where nobody answers. */
function dial(context: Context, address: string, port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, allowHalfOpen: true })
    hold(context, socket)
    socket.setTimeout(CONNECT_MS, () => socket.destroy())
    socket.once('close', () => resolve(null))
    socket.once('connect', () => {
      socket.setTimeout(0)
      socket.pause()
      resolve(socket)
    })
  })
}

/** Each end that closes takes the other with it: a socket is gone when its run is. */
function hold(context: Context, socket: Socket): void {
  context.open.add(socket)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => context.open.delete(socket))
}

interface Asked {
  name: string
  port: number
}

/** `name:port`, and nothing that two programs could read differently. */
function authority(target: string): Asked | null {
  const [, host = '', digits = ''] = /^([^:]+):([1-9][0-9]{0,4})$/.exec(target) ?? []
  const name = hostName(host)
  return name === null || Number(digits) > 65_535 ? null : { name, port: Number(digits) }
}

function textOf({ name, port }: Asked): string {
  return `${name}:${port}`
}

function targetOf({ url, headers }: IncomingMessage): string {
  return url === undefined || url.startsWith('/') ? (headers.host ?? '') : url
}

function refuse(context: Context, client: Duplex, { target, why }: { target: string; why: string }): void {
  refused(context, target, why)
  answer(client, 403, why)
}

function refused(context: Context, target: string, why: string): void {
  context.reached.refuse(target, why)
}

function answer(client: Duplex, status: 403 | 502, why: string): void {
  const text = `${SAY} ${why}\n`
  const phrase = status === 403 ? 'Forbidden' : 'Bad Gateway'
  client.end(
    `HTTP/1.1 ${status} ${phrase}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  )
}
