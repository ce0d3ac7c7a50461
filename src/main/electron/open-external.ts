import { AppError } from '@shared/errors'

const MAX_LENGTH = 2048
const MIN_GAP_MS = 1000
const SCHEMES = new Set(['https:', 'http:', 'mailto:'])
const MAIL_FIELDS = new Set(['subject', 'body', 'cc'])

/** The parts of Electron's shell that are needed. */
export interface ExternalDeps {
  /** shell.openExternal. */
  open(url: string): Promise<void>
  /** Milliseconds since 1970. */
  now(): number
}

/**
 * The address as the operating system may get it: https, http or mailto, no user name or password, no control
 * characters, with the host in its ASCII form. Throws `bad_input` for every other (`security.md` 2.1, point 15).
 */
export function checkExternal(raw: string): string {
  if (raw.length > MAX_LENGTH) throw refusal(`it is longer than ${MAX_LENGTH} characters`)
  // WHATWG parsing drops tabs and line ends silently; what was shown would not be what is opened.
  if (/[\s\\\p{C}]/u.test(raw)) throw refusal('it holds spaces, backslashes or invisible characters')
  if (!URL.canParse(raw)) throw refusal('it is not a complete address')
  const url = new URL(raw)
  if (!SCHEMES.has(url.protocol)) throw refusal(`only https, http and mailto are opened, not ${url.protocol}`)
  if (url.protocol === 'mailto:') checkMail(url)
  else if (url.username || url.password) throw refusal('it holds a user name or password')
  if (url.href.length > MAX_LENGTH) throw refusal(`it is longer than ${MAX_LENGTH} characters`)
  return url.href
}

/** The only way out of the app: checks, and opens at most one address a second. */
export function createOpenExternal(deps: ExternalDeps): (raw: string) => Promise<void> {
  let last = Number.NEGATIVE_INFINITY
  return async (raw) => {
    const url = checkExternal(raw)
    const now = deps.now()
    if (now - last < MIN_GAP_MS) {
      throw new AppError('busy', 'An address was opened just now. Wait a second, then try again.')
    }
    last = now
    await deps.open(url)
  }
}

function checkMail(url: URL): void {
  if (!url.pathname.includes('@')) throw refusal('it names no mail address')
  for (const field of url.searchParams.keys()) {
    // `attach` makes some mail programs add files of the disk.
    if (!MAIL_FIELDS.has(field.toLowerCase())) throw refusal(`a mail address may not hold "${field}"`)
  }
}

function refusal(reason: string): AppError {
  return new AppError('bad_input', `This address was not opened: ${reason}.`)
}
