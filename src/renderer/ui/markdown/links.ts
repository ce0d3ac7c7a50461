import { words } from '../strings'

/** What is known about a link before it is opened. */
export type LinkCheck =
  /** Opens in the browser. `warnings` say why the person should look twice; empty: open at once. */
  | { kind: 'web'; url: string; host: string; warnings: string[] }
  /** A path inside the skill or project. */
  | { kind: 'internal'; path: string }
  /** Never opened: shown as text. */
  | { kind: 'refused'; url: string }

const MAX_QUERY = 200
const HOST_LIKE = /\b((?:[a-z0-9-]+\.)+[a-z]{2,})\b/i

/** Looks at a link as MD-3 asks: the text and the real host must not tell two stories. */
export function checkLink(text: string, href: string): LinkCheck {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(href)) {
    return href.startsWith('//') ? { kind: 'refused', url: href } : { kind: 'internal', path: href }
  }
  const url = parseUrl(href)
  if (url?.protocol === 'mailto:') return { kind: 'web', url: url.href, host: url.pathname, warnings: [] }
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return { kind: 'refused', url: href }
  return { kind: 'web', url: url.href, host: url.host, warnings: warningsOf(text, url) }
}

/** Who would have served an image, for the chip that stands in its place (MD-2). */
export function imageHost(src: string): string {
  const url = parseUrl(src)
  return url?.host ? url.host : words.links.anUnknownPlace
}

/** The only images that are drawn: bitmaps that came with the text, up to 2 MB. Never SVG. */
export function isInlineImage(src: string): boolean {
  return src.length <= 2_800_000 && /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(src)
}

function warningsOf(text: string, url: URL): string[] {
  const warnings: string[] = []
  const shown = HOST_LIKE.exec(text)?.[1]?.toLowerCase()
  if (shown && !sameSite(shown, url.hostname)) {
    warnings.push(words.links.theTextSaysBut(shown, url.hostname))
  }
  if (url.username || url.password) warnings.push(words.links.theAddressCarriesA)
  if (/(^|\.)xn--/.test(url.hostname)) {
    warnings.push(words.links.theHostIsWritten)
  }
  if (/^[\d.]+$/.test(url.hostname) || url.hostname.startsWith('[')) {
    warnings.push(words.links.theHostIsA)
  }
  if (url.search.length > MAX_QUERY || url.hash.length > MAX_QUERY) {
    warnings.push(words.links.theAddressIsVery)
  }
  return warnings
}

function sameSite(shown: string, host: string): boolean {
  const bare = (name: string) => name.replace(/^www\./, '')
  return bare(shown) === bare(host) || bare(host).endsWith(`.${bare(shown)}`)
}

function parseUrl(href: string): URL | undefined {
  return URL.canParse(href) ? new URL(href) : undefined
}
