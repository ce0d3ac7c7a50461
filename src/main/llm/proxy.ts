import { isLoopback } from './base-url'
import { TransportFault } from './transport-fault'

/** The app's own environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy for a request, or null for none: the one of the settings, else that of the usual environment variables
 * (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, in both spellings). Never for this computer, nor for what `NO_PROXY` names.
 * Throws `TransportFault` for an address that is none.
 */
export function proxyFor(url: URL, chosen: string, env: Environment): URL | null {
  const address = chosen.trim() || fromEnvironment(url, env)
  if (address === '' || isLoopback(url) || isExempt(url, variable(env, 'NO_PROXY'))) return null
  return proxyAddress(address)
}

/** The address of a proxy. Throws `TransportFault` for one that can't be used. */
export function proxyAddress(address: string): URL {
  const proxy = URL.canParse(address) ? new URL(address) : null
  if (proxy && /^https?:$/.test(proxy.protocol) && proxy.hostname !== '') return proxy
  throw new TransportFault('setup', 'The proxy is no http:// or https:// address.')
}

function fromEnvironment({ protocol }: URL, env: Environment): string {
  const own = variable(env, protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  return own || variable(env, 'ALL_PROXY')
}

function variable(env: Environment, name: string): string {
  return (env[name.toLowerCase()] || env[name] || '').trim()
}

/** `NO_PROXY` holds names between commas or spaces: each with all below it, with or without a port; `*` is all. */
function isExempt(url: URL, list: string): boolean {
  const names = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  return names.some((name) => name === '*' || fits(url, name))
}

function fits({ hostname, port, protocol }: URL, entry: string): boolean {
  const [, name = '', wanted] = /^\*?\.?(.+?)(?::(\d+))?$/.exec(entry) ?? []
  const actual = port || (protocol === 'https:' ? '443' : '80')
  if (wanted !== undefined && wanted !== actual) return false
  return hostname === name || hostname.endsWith(`.${name}`)
}
