/**
 * Hosts that a run may reach, as they stand in a skill's `execution.network`, in the settings and in a policy: a name, or
 * `*.` before one for all names below it, and a port (443 where none is written). Two spellings of one host are one
 * text, `name:port`. An address, a name of one label, a name of this computer and a name that is not plain ASCII are no
 * hosts: an international name is written as its `xn--` form, which is what a person then sees.
 */
export interface NetworkHost {
  /** Lower case, without the star. */
  name: string
  /** All names below `name`, but not `name` itself. */
  below: boolean
  port: number
}

/** TLS as it is spoken to any web address. */
export const HTTPS_PORT = 443

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Of letters alone: what ends in digits may be an address in one of its many spellings. */
const TOP = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/
const LIMIT = 253

/** Null: it is not the name of a host that can be allowed. */
export function hostName(text: string): string | null {
  // Before anything is folded: İ and the Kelvin sign become letters of a name when they are.
  if (!/^[A-Za-z0-9.-]+$/.test(text) || text.length > LIMIT) return null
  const name = text.toLowerCase()
  const labels = name.split('.')
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && TOP.test(labels.at(-1)!)
  return isName && labels.at(-1) !== 'localhost' ? name : null
}

/** One entry of a list; null: it names no host that can be allowed. */
export function parseHost(entry: string): NetworkHost | null {
  const [, star, rest, digits] = /^(\*\.)?([^:*]+)(?::([0-9]{1,5}))?$/.exec(entry) ?? []
  const name = hostName(rest ?? '')
  const port = digits === undefined ? HTTPS_PORT : Number(digits)
  const isPort = port >= 1 && port <= 65_535 && (digits === undefined || !digits.startsWith('0'))
  return name === null || !isPort ? null : { name, below: star !== undefined, port }
}

/** The one spelling of a host. */
export function hostText({ name, below, port }: NetworkHost): string {
  return `${below ? '*.' : ''}${name}:${port}`
}

/** "api.example.com, port 443", for a person. */
export function hostWords(text: string): string {
  const host = parseHost(text)
  if (host === null) return text
  return `${host.below ? `all names below ${host.name}` : host.name}, port ${host.port}`
}

/** The hosts of a list in their one spelling, sorted, each once; what names none is left out. */
export function hostTexts(entries: readonly string[]): string[] {
  const hosts = entries.flatMap((entry) => parseHost(entry) ?? [])
  return [...new Set(hosts.map(hostText))].sort()
}

/** Whether a list of such texts lets `name` be reached at `port`. */
export function allowsHost(hosts: readonly string[], name: string, port: number): boolean {
  const asked = hostName(name)
  return asked !== null && hosts.some((text) => covers(parseHost(text), { name: asked, below: false, port }))
}

/** What both lists let be reached, in the one spelling. */
export function bothHosts(one: readonly string[], other: readonly string[]): string[] {
  const narrow = (from: readonly string[], by: readonly string[]) =>
    from.filter((text) => by.some((wide) => covers(parseHost(wide), parseHost(text))))
  const all = hostTexts(one)
  const rest = hostTexts(other)
  return [...new Set([...narrow(all, rest), ...narrow(rest, all)])].sort()
}

/** Every host of `narrow` is one of `wide`. */
function covers(wide: NetworkHost | null, narrow: NetworkHost | null): boolean {
  if (wide === null || narrow === null || wide.port !== narrow.port) return false
  if (wide.name === narrow.name) return wide.below === narrow.below
  return wide.below && narrow.name.endsWith(`.${wide.name}`)
}
