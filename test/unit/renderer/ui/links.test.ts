import { describe, expect, test } from 'vitest'
import { checkLink, imageHost, isInlineImage } from '../../../../src/renderer/ui/markdown/links'

function warnings(text: string, href: string): string[] {
  const check = checkLink(text, href)
  if (check.kind !== 'web') throw new Error(check.kind)
  return check.warnings
}

describe('checkLink', () => {
  test.each([
    ['the manual', 'https://example.org/a'],
    ['example.org', 'https://www.example.org/'],
    ['www.example.org', 'https://example.org/'],
    ['example.org/docs', 'https://docs.example.org/x'],
  ])('%s to %s opens without a word', (text, href) => expect(warnings(text, href)).toEqual([]))

  test.each([
    ['text that names another host', 'bank.com', 'https://evil.example/', 'bank.com'],
    ['a host that only ends alike', 'bank.com', 'https://notbank.com/', 'notbank.com'],
    ['a user name', 'x', 'https://bank.com@evil.example/', 'user name'],
    ['punycode', 'x', 'https://xn--bnk-7qa.example/', 'look like'],
    ['a number for a host', 'x', 'http://192.168.0.1/', 'number'],
    ['an IPv6 address', 'x', 'http://[::1]/', 'number'],
    ['a query that carries text away', 'x', `https://a.example/?q=${'s'.repeat(201)}`, 'very long'],
    ['a fragment that carries text away', 'x', `https://a.example/#${'s'.repeat(201)}`, 'very long'],
  ])('%s is warned about', (_name, text, href, words) => {
    expect(warnings(text, href).join(' ')).toContain(words)
  })

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'satchel://open/x',
    '//evil.example/x',
    'https://',
  ])('%s is never opened', (href) => expect(checkLink('x', href).kind).toBe('refused'))

  test('a relative link is a path inside', () => {
    expect(checkLink('forms', 'references/forms.md')).toEqual({
      kind: 'internal',
      path: 'references/forms.md',
    })
  })
})

test.each([
  ['data:image/png;base64,AAAA', true],
  ['data:image/svg+xml;base64,AAAA', false],
  ['data:image/png,<svg>', false],
  ['https://a.example/x.png', false],
  [`data:image/png;base64,${'A'.repeat(3_000_000)}`, false],
])('an image from %.40s is drawn: %s', (src, drawn) => expect(isInlineImage(src)).toBe(drawn))

test('the chip names the host that would have served the image', () => {
  expect(imageHost('https://img.example:8443/x.png?track=1')).toBe('img.example:8443')
  expect(imageHost('x.png')).toBe('an unknown place')
})
