/**
 * Text as Python writes it, which the messages of the reference validator are made of (`format.md` 1.3): errors of
 * decoding, `repr` of values, `str` of paths.
 */

interface Utf8Fault {
  start: number
  /** First byte after the fault. */
  end: number
  reason: 'invalid start byte' | 'invalid continuation byte' | 'unexpected end of data'
}

/** What Python says of bytes that are not UTF-8; null when they are. */
export function utf8Error(bytes: Uint8Array): string | null {
  const fault = findFault(bytes)
  if (!fault) return null
  const { start, end, reason } = fault
  const hex = (bytes[start] ?? 0).toString(16).padStart(2, '0')
  const where =
    end - start === 1 ? `byte 0x${hex} in position ${start}` : `bytes in position ${start}-${end - 1}`
  return `'utf-8' codec can't decode ${where}: ${reason}`
}

/** `repr` of plain data: `{'requires': ['git', 'jq']}`. */
export function pythonRepr(value: unknown): string {
  if (typeof value === 'string') return reprText(value)
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${reprText(key)}: ${pythonRepr(item)}`)
    return `{${entries.join(', ')}}`
  }
  return String(value)
}

/** `str` of plain data: a text stays as it is. */
export function pythonStr(value: unknown): string {
  return typeof value === 'string' ? value : pythonRepr(value)
}

/** `str(Path(path))` on systems whose separator is /: `./a//b/` is `a/b`; `..` stays. */
export function pythonPath(path: string): string {
  const root = path.startsWith('/') ? '/' : ''
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return root + parts.join('/') || '.'
}

function findFault(bytes: Uint8Array): Utf8Fault | null {
  let at = 0
  while (at < bytes.length) {
    const lead = bytes[at]!
    if (lead < 0x80) {
      at += 1
      continue
    }
    const length = sequenceLength(lead)
    if (length === 0) return { start: at, end: at + 1, reason: 'invalid start byte' }
    const fault = faultInSequence(bytes, at, length)
    if (fault) return fault
    at += length
  }
  return null
}

/** Bytes of the sequence that starts with this one; 0 when none may. */
function sequenceLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0
}

function faultInSequence(bytes: Uint8Array, start: number, length: number): Utf8Fault | null {
  for (let offset = 1; offset < length; offset++) {
    const at = start + offset
    const byte = bytes[at]
    if (byte === undefined) return { start, end: bytes.length, reason: 'unexpected end of data' }
    if (!continues(bytes[start]!, byte, offset))
      return { start, end: at, reason: 'invalid continuation byte' }
  }
  return null
}

/** The second byte is narrower after some leads: no overlong forms, surrogates or code points above U+10FFFF. */
const NARROW: Readonly<Record<number, readonly [number, number]>> = {
  0xe0: [0xa0, 0xbf],
  0xed: [0x80, 0x9f],
  0xf0: [0x90, 0xbf],
  0xf4: [0x80, 0x8f],
}

function continues(lead: number, byte: number, offset: number): boolean {
  const [low, high] = (offset === 1 ? NARROW[lead] : undefined) ?? [0x80, 0xbf]
  return byte >= low && byte <= high
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function reprText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inner = Array.from(text, (char) => reprCharacter(char, quote)).join('')
  return quote + inner + quote
}

function reprCharacter(char: string, quote: string): string {
  if (char === quote) return `\\${char}`
  const escape = ESCAPES[char]
  if (escape !== undefined) return escape
  if (!/[\p{C}\p{Z}]/u.test(char) || char === ' ') return char
  const hex = (char.codePointAt(0) ?? 0).toString(16)
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
