import { createResolvedAddressGuard } from '@anthropic-ai/sandbox-runtime/dist/sandbox/resolved-address-guard.js'
import type { Resolver } from '@anthropic-ai/sandbox-runtime/dist/sandbox/resolved-address-guard.js'
import { isIP } from 'node:net'

/** What tests put in place of this computer's own resolver and addresses. */
export interface Names {
  resolve?: Resolver
  localAddresses?: () => readonly string[]
}

/** Where a name leads, or why no connection is made: `denied` by our own rule, `unknown` to the resolver. */
export type Resolved = { addresses: string[] } | { denied: string } | { unknown: string }

/**
 * Beside what sandbox-runtime never lets a name lead to (this computer, link-local and metadata addresses, multicast):
 * addresses that only mean something inside a house or a company, where a name is no sign of who answers.
 */
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '240.0.0.0/4',
  '64:ff9b:1::/48',
  '100::/64',
  'fc00::/7',
  'fec0::/10',
]

/** Of the addresses of one name. */
const MOST_TRIED = 4

/**
 * Asks for the addresses of an allowed name, once: those that are given are the ones to connect to, so that a second
 * answer of the resolver changes nothing. Never throws.
 */
export function createAddresses(names: Names): (name: string, port: number) => Promise<Resolved> {
  const guard = createResolvedAddressGuard({ ...names, deniedResolvedAddresses: PRIVATE })
  return (name, port) =>
    new Promise((resolve) => {
      guard.lookupFor(port)(name, { all: true }, (error, found) => {
        const all = Array.isArray(found) ? found.map(({ address }) => address) : [found]
        const addresses = all.filter((address) => isIP(address) !== 0).slice(0, MOST_TRIED)
        if (error === null && addresses.length > 0) resolve({ addresses })
        else if (isDenied(error)) resolve({ denied: error.reason })
        else resolve({ unknown: error?.code ?? 'no address' })
      })
    })
}

function isDenied(error: unknown): error is { reason: string } {
  return (error as { code?: unknown } | null)?.code === 'ERR_SRT_RESOLVED_ADDRESS_DENIED'
}
