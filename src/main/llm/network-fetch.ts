import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'
import type * as Undici from 'undici'
import { AppError } from '@shared/errors'
import { proxyAddress, proxyFor, type Environment } from './proxy'
import { TransportFault } from './transport-fault'

/** What a person chose for the network; empty texts leave it to the environment. */
export interface NetworkChoices {
  /** Address of a proxy. */
  proxy: string
  /** Path of a PEM file with further certificate authorities. */
  caFile: string
}

/** Those that are about to change. */
type SomeChoices = { [Name in keyof NetworkChoices]?: string | undefined }

export interface NetworkFetchDeps {
  /** Used as it is wherever neither a proxy nor a further authority is asked for. */
  fetch: typeof fetch
  env: Environment
  /** Read at each call. */
  choices(): NetworkChoices
}

/** Connections are kept for the next call while proxy and certificates stay the same. */
interface Route {
  key: string
  dispatcher: Undici.Dispatcher
}

/**
 * `fetch` through the proxy and with the certificate authorities of the settings or of `HTTPS_PROXY`, `NO_PROXY`,
 * `SSL_CERT_FILE` and `NODE_EXTRA_CA_CERTS`, which the packaged app does not hand to Node. The usual authorities stay
 * trusted. Throws `TransportFault` when one of them can't be used: a call never goes round a proxy that was asked for.
 */
export function createNetworkFetch(deps: NetworkFetchDeps): typeof fetch {
  let route: Route | null = null
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const { proxy, caFile } = deps.choices()
    const via = proxyFor(url, proxy, deps.env)
    const authorities = await readAuthorities(caFile, deps.env)
    if (via === null && authorities.length === 0) return deps.fetch(input, init)
    const undici = await import('undici')
    const key = JSON.stringify([via?.href ?? null, authorities])
    if (route?.key !== key) {
      void route?.dispatcher.close()
      route = { key, dispatcher: connect(undici, via, authorities) }
    }
    const { dispatcher } = route
    return undici.fetch(input as string, { ...(init as unknown as Undici.RequestInit), dispatcher })
  }
}

/** Refuses choices that no call could use: `bad_input` with what is wrong and what to do. Empty ones are good. */
export async function checkNetworkChoices(choices: SomeChoices): Promise<void> {
  const { proxy, caFile } = choices
  try {
    if (proxy) proxyAddress(proxy)
    if (caFile) readFirstCertificate(caFile, await readAuthority(caFile))
  } catch (error) {
    if (!(error instanceof TransportFault)) throw error
    throw new AppError('bad_input', `${error.detail} Enter another one, or leave the field empty.`)
  }
}

function readFirstCertificate(file: string, text: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw new TransportFault('setup', `The first certificate in ${file} is damaged.`)
  }
}

function connect(undici: typeof Undici, via: URL | null, authorities: string[]): Undici.Dispatcher {
  const trust = authorities.length === 0 ? {} : { ca: [...rootCertificates, ...authorities] }
  if (via === null) return new undici.Agent({ connect: trust })
  return new undici.ProxyAgent({ uri: via.href, requestTls: trust, proxyTls: trust })
}

async function readAuthorities(chosen: string, env: Environment): Promise<string[]> {
  const files = [chosen, env['SSL_CERT_FILE'], env['NODE_EXTRA_CA_CERTS']]
  const named = [...new Set(files.map((file) => file?.trim() ?? ''))].filter((file) => file !== '')
  return Promise.all(named.map(readAuthority))
}

async function readAuthority(file: string): Promise<string> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const code = (error as { code?: unknown }).code
    throw new TransportFault('setup', `The certificate file ${file} can't be read (${String(code)}).`)
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new TransportFault('setup', `The certificate file ${file} holds no certificate in PEM form.`)
}
