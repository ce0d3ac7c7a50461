import { readFileSync } from 'node:fs'

/** What a run of Chromium did on the network, read from the file that `--log-net-log` made. */
export interface NetworkUse {
  /** Addresses asked for, without the app's own files and data made in the page. */
  requests: string[]
  /** Host names that were to be resolved; `~notfound` stands for each that the app maps to nothing. */
  names: string[]
  /** Questions that were sent to a DNS server or to the system's resolver. */
  dnsQueries: number
  /** Addresses that were connected to, by TCP or UDP. */
  connections: string[]
}

interface NetEvent {
  type: number
  params?: { url?: string; host?: string; address?: string; address_list?: string[] }
}

/** Chromium looks whether IPv6 has a route by connecting a UDP socket to this address; nothing is sent. */
const ROUTE_PROBE = '[2001:4860:4860::8888]:443'
const OWN_SCHEMES = /^(app|blob|data|devtools|chrome|chrome-devtools):/

/** Reads a net log, also one that a kill cut off. Throws when the file holds no events: then nothing was watched. */
export function readNetLog(file: string): NetworkUse {
  const lines = readFileSync(file, 'utf8').split('\n')
  if (!lines[1]?.startsWith('"events"')) throw new Error(`${file} is no net log`)
  const head = JSON.parse(`${lines[0]!.replace(/,$/, '')}}`) as {
    constants: { logEventTypes: Record<string, number> }
  }
  const nameOf = new Map(Object.entries(head.constants.logEventTypes).map(([name, id]) => [id, name]))
  const use: NetworkUse = { requests: [], names: [], dnsQueries: 0, connections: [] }
  let count = 0
  for (const line of lines.slice(2)) {
    const event = parseEvent(line)
    if (!event) continue
    count += 1
    add(use, nameOf.get(event.type) ?? '', event.params ?? {})
  }
  if (count === 0) throw new Error(`${file} holds no events`)
  return use
}

function parseEvent(line: string): NetEvent | null {
  const text = /^(\{.*\})(\],|,)?$/.exec(line)?.[1]
  if (!text) return null
  try {
    return JSON.parse(text) as NetEvent
  } catch {
    return null // the last line of a process that was killed
  }
}

function add(use: NetworkUse, name: string, params: NonNullable<NetEvent['params']>): void {
  if (name === 'URL_REQUEST_START_JOB' && params.url && !OWN_SCHEMES.test(params.url))
    use.requests.push(params.url)
  if (name.startsWith('HOST_RESOLVER_MANAGER_') && params.host) use.names.push(params.host)
  if (name === 'DNS_TRANSACTION' || name === 'HOST_RESOLVER_SYSTEM_TASK') use.dnsQueries += 1
  const isConnection = name === 'TCP_CONNECT_ATTEMPT' || name === 'UDP_CONNECT'
  if (isConnection && params.address && params.address !== ROUTE_PROBE) use.connections.push(params.address)
}
