/** How one value can stand in a text. */
export interface Forms {
  /** As it is, and as shells, programs and addresses write it. */
  plain: string[]
  /** In base64, alone and inside of something longer, and in hexadecimal: also looked for across line breaks. */
  wrapped: string[]
  /** The same without what may stand on the line before: looked for where a line begins. */
  cut: string[]
}

/** A shorter value can't be told from other text; none is kept (`settings/secrets.ts`). */
export const MIN_SECRET = 6
/** The end of a wrapped value that is shorter says too little to be one. */
const MIN_CUT = 12
/** Characters of the first line without which the rest of a wrapped value is still known. */
export const FIRST_LINE = 4

export function formsOf(value: string): Forms {
  const hex = Buffer.from(value).toString('hex')
  const wrapped = [...base64Forms(value), hex, hex.toUpperCase()]
  const starts = Array.from({ length: FIRST_LINE - 1 }, (_, n) => n + 1)
  return {
    plain: long(
      [
        value,
        value.replace(/\r?\n/g, '\r\n'),
        ...addressForms(value),
        ...quotedForms(value),
        ...byteForms(value),
      ],
      MIN_SECRET,
    ),
    wrapped: long(wrapped, MIN_SECRET),
    cut: long(
      wrapped.flatMap((form) => starts.map((start) => form.slice(start))),
      MIN_CUT,
    ),
  }
}

function long(forms: readonly string[], least: number): string[] {
  return [...new Set(forms.filter(({ length }) => length >= least))]
}

/** As JavaScript, Python, jq, and forms of the web write it. */
function addressForms(value: string): string[] {
  const encoded = encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'))
  const strict = encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const all = [
    encoded,
    strict,
    strict.replaceAll('%2F', '/'),
    strict.replaceAll('%2A', '*').replaceAll('~', '%7E'),
  ]
  const plus = [encoded, ...all].map((form) => form.replaceAll('%20', '+'))
  return [...all, ...plus].flatMap((form) => [
    form,
    form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ])
}

/** What stands before and between its bytes where each is written as a number. */
const BYTES: readonly (readonly [string, string])[] = [
  ['', ' '],
  ['', ':'],
  ['', '-'],
  ['%', '%'],
  ['\\x', '\\x'],
  ['0x', ', 0x'],
  ['0x', ',0x'],
]
/** A longer value is not looked for so: its forms would take too much memory. */
const MAX_BYTES = 1024

/** As dumps and literals of programs write it. */
function byteForms(value: string): string[] {
  const bytes = Buffer.from(value)
  if (bytes.length > MAX_BYTES) return []
  const hex = bytes.toString('hex')
  const pairs = hex.match(/../g) ?? []
  const fours = (hex.match(/.{1,4}/g) ?? []).join(' ')
  return [fours, ...BYTES.map(([before, between]) => before + pairs.join(between))].flatMap((form) => [
    form,
    form.replace(/[0-9a-f]{2}/g, (digits) => digits.toUpperCase()),
  ])
}

/** As `set -x`, `declare -p`, `printf %q`, JSON and Python write it. */
function quotedForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const ansi = value
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
  return [
    value.replaceAll("'", "'\\''"),
    value.replace(/["$`\\]/g, '\\$&'),
    value.replace(/["'\\]/g, '\\$&'),
    value.replace(/[^\w\n@%+=:./~#\u0080-\u{10ffff}-]/gu, '\\$&').replace(/^[~#]/, '\\$&'),
    value.replace(/[^\w\n@%+=:./\u0080-\u{10ffff}-]/gu, '\\$&'),
    ansi,
    octal(ansi),
    json,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
    json.replace(/[<>&]/g, escapedUnicode),
    ascii(json),
    ascii(json).replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`),
    ascii(json).replaceAll('/', '\\/'),
    JSON.stringify(ascii(json)).slice(1, -1),
    value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n'),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    html(value, '&quot;', '&#x27;'),
    html(value, '&quot;', '&#39;'),
    html(value, '&#34;', '&#39;'),
  ]
}

function html(value: string, double: string, single: string): string {
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return text.replaceAll('"', double).replaceAll("'", single)
}

function octal(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\${byte.toString(8)}`))
    .join('')
}

function ascii(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, escapedUnicode)
}

function escapedUnicode(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Of the value alone; and inside of something longer, at each of the three places of a group. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value)
  const alone = bytes.toString('base64')
  const inside = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // Characters that also depend on what stands before and after are left out.
    const isShared = (before + bytes.length) % 3 !== 0
    return text.slice([0, 2, 3][before], isShared ? -1 : undefined)
  })
  const all = [alone, alone.replace(/=+$/, ''), ...inside]
  return all.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
}
