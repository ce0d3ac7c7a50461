/** Given instead of a value where only the full parser can tell what a text means. */
export const DOUBT = Symbol('doubt')

/** Deeper maps and lists than that are left to the full parser. */
export const MAX_FAST_DEPTH = 8

const INDICATORS = new Set('-?:,[]{}#&*!|>\'"%@`')
const PLAIN_KEY = /^[A-Za-z_][\w-]{0,99}$/
const SIMPLE_ESCAPES = /^(?:[^"\\]|\\["\\/nt])*$/
const MAX_KEY = 100

/** A value that stands on one line of a block map or list, without spaces around it and not empty. */
export function fastInline(text: string): unknown {
  const first = text[0]!
  if (first === '"') return fastDouble(text)
  if (first === "'") return fastSingle(text)
  if (first !== '[' && first !== '{') return fastPlain(text)
  const flow: Flow = { text, at: 0 }
  const value = flowValue(flow, 1)
  return flow.at === text.length ? value : DOUBT
}

/** A plain scalar in the core schema of YAML 1.2, by the patterns of the full parser. */
export function fastPlain(text: string): unknown {
  if (INDICATORS.has(text[0]!)) return DOUBT
  if (text.includes(': ') || text.includes(' #') || text.endsWith(':')) return DOUBT
  return resolvePlain(text)
}

function resolvePlain(text: string): unknown {
  if (/^[A-EG-MO-SU-Za-eg-mo-su-z]/.test(text)) return text
  if (/^(?:~|[Nn]ull|NULL)$/.test(text)) return null
  if (/^(?:[Tt]rue|TRUE)$/.test(text)) return true
  if (/^(?:[Ff]alse|FALSE)$/.test(text)) return false
  return /^[+.\d]/.test(text) ? resolveNumber(text) : text
}

function resolveNumber(text: string): unknown {
  if (/^0o[0-7]+$/.test(text)) return finite(Number.parseInt(text.slice(2), 8), text)
  if (/^[-+]?[0-9]+$/.test(text)) return finite(Number.parseInt(text, 10), text)
  if (/^0x[0-9a-fA-F]+$/.test(text)) return finite(Number.parseInt(text.slice(2), 16), text)
  const float = /^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+)$/
  return float.test(text) ? finite(Number.parseFloat(text), text) : text
}

function finite(value: number, text: string): unknown {
  return Number.isFinite(value) ? value : text
}

function fastDouble(text: string): unknown {
  if (text.length < 2 || !text.endsWith('"')) return DOUBT
  const inner = text.slice(1, -1)
  if (!inner.includes('\\')) return inner.includes('"') ? DOUBT : inner
  if (!SIMPLE_ESCAPES.test(inner)) return DOUBT
  return unescaped(inner)
}

/** Of a text between double quotes with simple escapes only. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char))
}

function fastSingle(text: string): unknown {
  if (text.length < 2 || !/^'(?:[^']|'')*'$/.test(text)) return DOUBT
  return text.slice(1, -1).replaceAll("''", "'")
}

interface Flow {
  text: string
  at: number
}

function flowValue(flow: Flow, depth: number): unknown {
  if (depth > MAX_FAST_DEPTH) return DOUBT
  const first = flow.text[flow.at]
  if (first === '[') return flowList(flow, depth)
  if (first === '{') return flowMap(flow, depth)
  if (first === '"' || first === "'") return flowQuoted(flow)
  return flowPlain(flow)
}

function flowList(flow: Flow, depth: number): unknown {
  const list: unknown[] = []
  flow.at += 1
  skipSpaces(flow)
  if (took(flow, ']')) return list
  for (;;) {
    const item = flowValue(flow, depth + 1)
    if (item === DOUBT) return DOUBT
    list.push(item)
    skipSpaces(flow)
    if (took(flow, ']')) return list
    if (!took(flow, ',')) return DOUBT
    skipSpaces(flow)
  }
}

function flowMap(flow: Flow, depth: number): unknown {
  const map: Record<string, unknown> = {}
  flow.at += 1
  skipSpaces(flow)
  if (took(flow, '}')) return map
  for (;;) {
    const key = flowKey(flow)
    if (key === null || Object.hasOwn(map, key)) return DOUBT
    skipSpaces(flow)
    const value = flowValue(flow, depth + 1)
    if (value === DOUBT) return DOUBT
    map[key] = value
    skipSpaces(flow)
    if (took(flow, '}')) return map
    if (!took(flow, ',')) return DOUBT
    skipSpaces(flow)
  }
}

/** `"key":` or `key: `. Null in doubt. */
function flowKey(flow: Flow): string | null {
  const quoted = flow.text[flow.at] === '"'
  const end = flow.text.indexOf(quoted ? '":' : ': ', flow.at + 1)
  if (end === -1) return null
  const key = flow.text.slice(quoted ? flow.at + 1 : flow.at, end)
  flow.at = end + 2
  if (quoted ? /["\\]/.test(key) || key === '' || key.length > MAX_KEY : !PLAIN_KEY.test(key)) return null
  return key === '__proto__' ? null : key
}

function flowQuoted(flow: Flow): unknown {
  const quote = flow.text[flow.at]!
  const end = flow.text.indexOf(quote, flow.at + 1)
  if (end === -1) return DOUBT
  const inner = flow.text.slice(flow.at + 1, end)
  flow.at = end + 1
  // An escape, or a quote that is written twice, needs more than a look for the next quote.
  return inner.includes('\\') || flow.text[flow.at] === quote ? DOUBT : inner
}

function flowPlain(flow: Flow): unknown {
  const start = flow.at
  while (flow.at < flow.text.length && !',[]{}'.includes(flow.text[flow.at]!)) flow.at += 1
  const text = flow.text.slice(start, flow.at).trimEnd()
  return text === '' ? DOUBT : fastPlain(text)
}

function skipSpaces(flow: Flow): void {
  while (flow.text[flow.at] === ' ') flow.at += 1
}

function took(flow: Flow, char: string): boolean {
  if (flow.text[flow.at] !== char) return false
  flow.at += 1
  return true
}
