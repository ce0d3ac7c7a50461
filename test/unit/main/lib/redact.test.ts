import { execFileSync } from 'node:child_process'
import { array, assert, constantFrom, integer, property, string, uint8Array } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRedactor, redactText, type HeldSecret } from '../../../../src/main/lib/redact'

const TOKEN: HeldSecret = { name: 'TOKEN', value: 'h7#kq/zz +19ü' }
const OTHER: HeldSecret = { name: 'OTHER', value: 'h7#kq/' }

function inPieces(secrets: readonly HeldSecret[], text: string, cuts: readonly number[]): string {
  const redactor = createRedactor(secrets)
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
  const pieces = [...at, text.length].map((end, n) => text.slice(n === 0 ? 0 : at[n - 1], end))
  return pieces.map(redactor.push).join('') + redactor.end()
}

describe('values', () => {
  test.each([
    ['as it is', TOKEN.value],
    ['in base64', Buffer.from(TOKEN.value).toString('base64')],
    ['in base64 for addresses', Buffer.from(TOKEN.value).toString('base64url')],
    ['in an address', encodeURIComponent(TOKEN.value)],
    [
      'in an address, in small letters',
      encodeURIComponent(TOKEN.value).replace(/%../g, (c) => c.toLowerCase()),
    ],
  ])('%s are taken out', (_, shown) => {
    expect(redactText([TOKEN], `a ${shown} b`)).toBe('a [redacted:TOKEN] b')
  })

  test('as programs write it in addresses, texts and numbers are taken out', () => {
    const secret = { name: 'TOKEN', value: `a&<"b'/!(c)*~ ü\\-0.d` }
    const program = `import html, json, sys, urllib.parse as u
v = sys.argv[1]
b = v.encode()
for form in (u.quote(v), u.quote(v, safe=''), u.quote_plus(v), u.urlencode({'k': v})[2:], u.quote(v).lower()[:0] + json.dumps(v),
    json.dumps(json.dumps(v)), json.dumps(v, ensure_ascii=False), json.dumps(json.dumps(v, ensure_ascii=False), ensure_ascii=False),
    html.escape(v), html.escape(v, quote=False), b.hex(), b.hex(' '), b.hex(' ').upper(), b.hex(':'), b.hex('-'), b.hex(' ', -2),
    ''.join('%%%02X' % c for c in b), ''.join('\\\\x%02x' % c for c in b), ', '.join(hex(c) for c in b)):
    print(form)`
    const shown = execFileSync('python3', ['-c', program, secret.value], { encoding: 'utf8' })
    const lines = [
      ...shown.trim().split('\n'),
      encodeURIComponent(secret.value),
      new URLSearchParams([['k', secret.value]]).toString().slice(2),
      JSON.stringify(secret.value).replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`),
      secret.value.replace('&', '&amp;').replace('<', '&lt;').replace('"', '&#34;').replace("'", '&#39;'),
    ]
    const left = lines.filter((line) => !/^["\\]*\[redacted:TOKEN\]["\\]*$/.test(redactText([secret], line)))
    expect(left).toEqual([])
    expect(lines.length).toBeGreaterThan(20)
  })

  test('in hexadecimal that a program breaks into lines nothing of it is left', () => {
    const key = { name: 'KEY', value: 'a long secret of more than thirty bytes, in plain letters' }
    const dumped = Buffer.from(key.value).toString('hex').replace(/.{60}/g, '$&\n')
    expect(redactText([key], dumped)).toBe('[redacted:KEY]')
  })

  test('in base64 of something longer nothing of it is left, wherever it stands', () => {
    for (const before of ['', 'x', 'xy', 'user:']) {
      const shown = Buffer.from(`${before}${TOKEN.value}:end`).toString('base64')
      const left = redactText([TOKEN], shown)
      expect(left).toContain('[redacted:TOKEN]')
      const decoded = Buffer.from(left.replace('[redacted:TOKEN]', ''), 'base64').toString()
      expect(decoded).not.toContain(TOKEN.value.slice(1, -1))
    }
  })

  test('of several lines are taken out as a terminal shows them, and in wrapped base64', () => {
    const key = { name: 'KEY', value: 'line one\nline two\n'.repeat(8) }
    expect(redactText([key], key.value.replaceAll('\n', '\r\n'))).toBe('[redacted:KEY]')
    const wrapped = Buffer.from(key.value).toString('base64').replace(/.{76}/g, '$&\n')
    expect(redactText([key], wrapped).replaceAll('[redacted:KEY]', '').trim()).toBe('')
  })

  test('the longer of two that begin alike is named', () => {
    expect(redactText([OTHER, TOKEN], TOKEN.value)).toBe('[redacted:TOKEN]')
    expect(redactText([OTHER, TOKEN], 'h7#kq/zz')).toBe('[redacted:OTHER]zz')
  })

  test('what was found is told by name, once', () => {
    const redactor = createRedactor([TOKEN, OTHER])
    redactor.push(`${TOKEN.value} ${TOKEN.value}`)
    redactor.end()
    expect(redactor.found()).toEqual(['TOKEN'])
  })

  test('a text that ends like the beginning of one is not lost', () => {
    const redactor = createRedactor([TOKEN])
    expect(redactor.push('Name h7#') + redactor.end()).toBe('Name h7#')
  })
})

describe('keys of known kinds', () => {
  test.each([
    ['api-key', `sk-${'a1B2'.repeat(8)}`],
    ['github-token', `ghp_${'a1B2'.repeat(9)}`],
    ['aws-key', 'AKIAABCDEFGHIJKLMNOP'],
    ['jwt', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJlLWhlcmU'],
    ['private-key', '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----'],
  ])('%s', (name, key) => {
    expect(redactText([], `key=${key}, next`)).toBe(`key=[redacted:${name}], next`)
    expect(inPieces([], `key=${key}.`, [6, 9, 20])).toBe(`key=[redacted:${name}].`)
  })

  test.each([
    'task-force-of-twenty-five-people',
    'sk-learn',
    'desk-abcdefghijklmnopqrstuvwxyz',
    '-----BEGIN CERTIFICATE-----',
  ])('%s is none', (text) => expect(redactText([], text)).toBe(text))
})

const pieces = array(
  constantFrom(
    TOKEN.value,
    OTHER.value,
    'h7#',
    'kq/zz',
    ' +19',
    'ü',
    'a',
    '\n',
    'sk-',
    'abcdef0123456789abcdef',
    Buffer.from(TOKEN.value).toString('base64'),
  ),
  { maxLength: 12 },
)
const cuts = array(integer({ min: 0, max: 200 }), { maxLength: 12 })

test('however a text is cut into pieces, the same comes out, and no value is in it', () => {
  assert(
    property(pieces, cuts, (parts, at) => {
      const text = parts.join('')
      const whole = redactText([TOKEN, OTHER], text)
      expect(inPieces([TOKEN, OTHER], text, at)).toBe(whole)
      expect(whole).not.toContain(OTHER.value)
    }),
    { numRuns: 500 },
  )
})

test('random values at random places are found, and every other character stays', () => {
  assert(
    property(
      uint8Array({ minLength: 8, maxLength: 40 }),
      string(),
      string(),
      cuts,
      (bytes, before, after, at) => {
        const value = Buffer.from(bytes).toString('base64')
        const [left, right] = [before.replaceAll(value, ''), after.replaceAll(value, '')]
        const out = inPieces([{ name: 'X', value }], `${left} ${value} ${right}`, at)
        expect(out).toBe(`${left} [redacted:X] ${right}`)
      },
    ),
  )
})

test('a text without secrets is not changed', () => {
  assert(
    property(string({ unit: 'binary' }), cuts, (text, at) => {
      expect(inPieces([TOKEN], text, at)).toBe(text)
    }),
  )
})
