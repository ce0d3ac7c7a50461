import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allowsHost, bothHosts, hostTexts, hostWords, parseHost } from '../../../src/shared/network-host'

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/)
const name = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom('com', 'example', 'xn--p1ai'))
  .map(([labels, top]) => [...labels, top].join('.'))
const port = fc.constantFrom(443, 8443, 80)
const entry = fc
  .tuple(fc.boolean(), name, port)
  .map(([below, host, at]) => `${below ? '*.' : ''}${host}${at === 443 ? '' : `:${at}`}`)
/** Few labels, so that lists meet. */
const near = fc.tuple(
  fc.constantFrom('', '*.'),
  fc.constantFrom('a.com', 'b.a.com', 'c.b.a.com', 'a.com.example', 'ba.com'),
  fc.constantFrom('', ':443', ':8443'),
)
const list = fc.array(
  near.map((parts) => parts.join('')),
  { maxLength: 4 },
)

describe('what names a host', () => {
  test.each([
    ['api.example.com', 'api.example.com:443'],
    ['API.Example.COM', 'api.example.com:443'],
    ['*.example.com', '*.example.com:443'],
    ['api.example.com:8443', 'api.example.com:8443'],
    ['xn--e1afmkfd.example', 'xn--e1afmkfd.example:443'],
  ])('%s does', (text, spelling) => expect(hostTexts([text])).toEqual([spelling]))

  test.each([
    '',
    '*',
    '*.',
    '*.com',
    'com',
    'localhost',
    'a.localhost',
    'localhost.',
    'example.com.',
    '.example.com',

    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '[::1]',
    '::1',
    '[2001:db8::1]:443',
    '1.2.3.4:443',

    'a..com',
    '-a.com',
    'a-.com',
    'a_b.com',
    'a b.com',
    'a.com/x',
    'https://a.com',
    'user@a.com',
    'a.com:0',
    'a.com:',

    'a.com:65536',
    'a.com:0443',
    'a.com:443:443',
    'a.*.com',
    '*a.com',
    '**.a.com',
    'a.com\0',
    'a\0.com',
    'a.com%00',

    'аpple.com',
    'exampleİ.com',
    'ﬀ.example.com',
    'a．com',
    'a。com',
    '\u212A.example.com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(126)}com`,
  ])('%j does not', (text) => {
    expect(parseHost(text)).toBeNull()
    expect(hostTexts([text])).toEqual([])
    expect(allowsHost([text], text, 443)).toBe(false)
  })

  test('is one text, whatever its case, and reads as words', () => {
    fc.assert(
      fc.property(entry, (text) => {
        const [spelling = ''] = hostTexts([text])
        expect(hostTexts([text.toUpperCase(), spelling])).toEqual([spelling])
      }),
    )
    expect(hostWords('api.example.com:443')).toBe('api.example.com, port 443')
    expect(hostWords('*.example.com:8443')).toBe('all names below example.com, port 8443')
  })
})

describe('which hosts a list lets be reached', () => {
  test('a name is itself alone, at its port alone, in any case', () => {
    fc.assert(
      fc.property(name, name, port, port, (one, other, first, second) => {
        const hosts = hostTexts([`${one}:${first}`])
        expect(allowsHost(hosts, one.toUpperCase(), first)).toBe(true)
        expect(allowsHost(hosts, other, second)).toBe(one === other && first === second)
        for (const near of [
          `${one}.`,
          `x${one}`,
          `${one}x`,
          `x.${one}`,
          `${one}.evil.test`,
          `${one}\0.evil.test`,
          `[${one}]`,
        ]) {
          expect(allowsHost(hosts, near, first)).toBe(false)
        }
      }),
    )
  })

  test('a star is every name below, at any depth, and not the name itself', () => {
    fc.assert(
      fc.property(name, fc.array(label, { minLength: 1, maxLength: 3 }), (base, labels) => {
        const hosts = hostTexts([`*.${base}`])
        expect(allowsHost(hosts, `${labels.join('.')}.${base}`, 443)).toBe(true)
        expect(allowsHost(hosts, base, 443)).toBe(false)
        expect(allowsHost(hosts, `${labels.join('')}${base}`, 443)).toBe(false)
      }),
    )
  })

  test('nothing at all is let through by a text that names no host, whatever is asked for', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        if (parseHost(one) === null) expect(allowsHost([one], other, 443)).toBe(false)
      }),
    )
  })

  test('two lists together let through exactly what both do', () => {
    const asked = fc.constantFrom(
      'a.com',
      'b.a.com',
      'c.b.a.com',
      'd.c.b.a.com',
      'a.com.example',
      'x.a.com.example',
      'ba.com',
    )
    fc.assert(
      fc.property(list, list, asked, port, (one, other, host, at) => {
        const both = bothHosts(one, other)
        expect(allowsHost(both, host, at)).toBe(allowsHost(one, host, at) && allowsHost(other, host, at))
        expect(bothHosts(other, one)).toEqual(both)
        expect(bothHosts(both, both)).toEqual(both)
      }),
      { numRuns: 500 },
    )
  })
})
