import { spawnSync } from 'node:child_process'
import { array, assert, constantFrom, integer, property, record, uint8Array } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRedactor, redactText, type HeldSecret } from '../../../../src/main/lib/redact'

const TOKEN: HeldSecret = { name: 'K', value: 'quince-4711-marmalade+jar/x' }

function inPieces(secrets: readonly HeldSecret[], text: string, cuts: readonly number[]): string {
  const redactor = createRedactor(secrets)
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
  const pieces = [...at, text.length].map((end, n) => text.slice(n === 0 ? 0 : at[n - 1], end))
  return pieces.map(redactor.push).join('') + redactor.end()
}
const cuts = array(integer({ min: 0, max: 600 }), { maxLength: 14 })

describe('a value is found', () => {
  test.each([
    ['with a colour inside', 'quin\u001b[0m\u001b[1mce-4711-marmalade+jar/x'],
    ['with a letter that a backspace takes back', 'quincex\b-4711-marmalade+jar/x'],
    [
      'with every letter printed twice',
      TOKEN.value
        .split('')
        .map((char) => `${char}\b${char}`)
        .join(''),
    ],
    ['with a title of the window inside', 'quin\u001b]0;hello\u0007ce-4711-marmalade+jar/x'],
    ['with characters of no width inside', 'quin\u0000ce-47\u200b11-marmalade+jar/x'],
    ['in such a title', `\u001b]0;${TOKEN.value}\u0007`],
    ['in hexadecimal', Buffer.from(TOKEN.value).toString('hex')],
  ])('%s', (_, shown) => {
    const left = redactText([TOKEN], `a ${shown} b`)
    expect(left).toContain('[redacted:K]')
    expect(left).toMatch(/^a .*b$/)
    expect(left.replaceAll('[redacted:K]', '').length).toBeLessThan(12)
  })

  test.each([
    ['bash', 'set -x; : "$S"'],
    ['bash', 'declare -p S'],
    ['bash', 'export -p | grep " S="'],
    ['bash', 'printf "%q" "$S"'],
    ['bash', 'printf "%s" "${S@Q}"'],
    ['bash', 'LC_ALL=C printf "%q" "$S"'],
    ['python3', 'import os, json; print(json.dumps(os.environ["S"]))'],
    ['python3', 'import os; print(os.environ)'],
    ['node', 'console.log(JSON.stringify(process.env.S))'],
    ['node', 'console.log({ S: process.env.S })'],
  ])('as %s writes it: %s', (program, text) => {
    for (const value of [`it's "a$b" #\`c\\d ü`, `two words`, 'p@$$w0rd!~x', "it's me & you", 'a"b"c#d{e}']) {
      const options = {
        env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', S: value },
        encoding: 'utf8',
      } as const
      const { stdout, stderr } = spawnSync(program, [program === 'node' ? '-e' : '-c', text], options)
      const shown = (stdout + stderr)
        .split('\n')
        .filter((line) => line.includes(value.slice(-2, -1)))
        .join('\n')
      expect(redactText([{ name: 'S', value }], shown), shown).toContain('[redacted:S]')
    }
  })
})

/** What is left of text in base64 when the marks and line breaks are gone, read from each of the four places. */
function decoded(left: string): string[] {
  const text = left.replace(/\[redacted:\w+\]/g, '\n').replace(/[\r ]/g, '')
  return text
    .split('\n')
    .flatMap((part) => [0, 1, 2, 3].map((n) => Buffer.from(part.slice(n), 'base64').toString('latin1')))
}

test('base64 is found at each of its three places and in lines of any width, with what stands before and after', () => {
  assert(
    property(
      record({
        bytes: uint8Array({ minLength: 24, maxLength: 60 }),
        before: constantFrom('', 'x', 'xy', 'user:', 'a'.repeat(55), 'a'.repeat(56), 'a'.repeat(57)),
        after: constantFrom('', '\n', ':end'),
        width: integer({ min: 1, max: 100 }),
        brk: constantFrom('\n', '\r\n', '\n  '),
        at: cuts,
      }),
      ({ bytes, before, after, width, brk, at }) => {
        const value = Buffer.from(bytes).toString('hex').slice(0, 24)
        const shown = Buffer.from(`${before}${value}${after}`).toString('base64')
        const wrapped = shown.replace(new RegExp(`.{${width}}(?=.)`, 'g'), `$&${brk}`)
        const secrets = [{ name: 'X', value }]
        const left = redactText(secrets, wrapped)
        expect(left).toContain('[redacted:X]')
        for (const part of decoded(left)) expect(part).not.toContain(value.slice(4, -2))
        expect(inPieces(secrets, wrapped, at)).toBe(left)
      },
    ),
    { numRuns: 300 },
  )
})

const noise = constantFrom(
  '',
  '',
  '\u001b[0m',
  '\u001b[1;31m',
  '\u001b[38;2;1;2;3m',
  '\u009b4m',
  '\u001b(B',
  '\u001b]0;t\u0007',
  '\u001b]0;t\u001b\\',
  'x\b',
  'q\b',
  '\u0007',
  '\u200b',
)

test('whatever nobody sees stands between the letters, in whatever pieces, nothing of a value is left', () => {
  assert(
    property(array(noise, { minLength: 27, maxLength: 27 }), cuts, (between, at) => {
      const shown = TOKEN.value
        .split('')
        .map((char, n) => (n === 0 ? char : `${between[n]}${char}`))
        .join('')
      expect(inPieces([TOKEN], `before ${shown} after`, at)).toBe('before [redacted:K] after')
    }),
    { numRuns: 3000 },
  )
})

const parts = constantFrom(
  'quin',
  'ce-4711',
  '-marmalade+jar/x',
  TOKEN.value,
  Buffer.from(TOKEN.value).toString('base64').slice(0, 9),
  Buffer.from(TOKEN.value).toString('base64').slice(9),
  'q',
  '\n',
  '\r\n',
  '\r',
  '\b',
  'x\b',
  '\u001b[',
  '31m',
  '\u001b]0;',
  '\u0007',
  '\u001b',
  ' ',
  '\\n',
)

test('whatever is printed, and in whatever pieces, the same comes out, and what is no value is not lost', () => {
  assert(
    property(record({ texts: array(parts, { maxLength: 16 }), at: cuts }), ({ texts, at }) => {
      const text = texts.join('')
      const whole = redactText([TOKEN], text)
      expect(inPieces([TOKEN], text, at)).toBe(whole)
      expect(whole).not.toContain(TOKEN.value)
      let from = 0
      for (const kept of whole.split('[redacted:K]')) {
        const found = text.indexOf(kept, from)
        expect(found).toBeGreaterThanOrEqual(from)
        from = found + kept.length
      }
    }),
    { numRuns: 1000 },
  )
})

test('a line that ends like the beginning of a value is not held back', () => {
  const redactor = createRedactor([TOKEN])
  expect(redactor.push('ready: cX\n')).toBe('ready: cX\n')
})
