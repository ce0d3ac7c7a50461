import type { ProviderInput } from '@shared/domain/settings'
import { AppError } from '@shared/errors'

/** The addresses of providers that have one of their own. */
const OWN: Readonly<Partial<Record<ProviderInput['kind'], string>>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * The address that requests go to, without a trailing slash. It is always given to the provider packages, which would
 * otherwise take one from the environment (KEY-3). Throws `bad_input` for an address that would carry a key in the
 * clear or that names more than a server and a path.
 */
export function effectiveBaseUrl(kind: ProviderInput['kind'], given: string | undefined): string {
  if (given === undefined || given.trim() === '') {
    const own = OWN[kind]
    if (own !== undefined) return own
    throw new AppError(
      'bad_input',
      'This kind of provider needs an address. Enter one, for example http://127.0.0.1:11434/v1.',
    )
  }
  const url = parse(given.trim())
  if (url.protocol !== 'https:' && !isLoopback(url)) {
    throw new AppError(
      'bad_input',
      `${url.host} would get the key unencrypted over http. Use an https address; http is for servers on this computer only.`,
    )
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new AppError(
      'bad_input',
      'The address may hold a server, a port and a path only. Remove the name, the password and everything after ? or #.',
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** True for servers on this computer: 127.0.0.1, localhost and ::1. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.has(url.hostname)
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new AppError('bad_input', 'The address must begin with https:// (or http:// on this computer).')
  }
  return url
}
