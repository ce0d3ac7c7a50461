import { expect, test } from 'vitest'
import { CONTENT_SECURITY_POLICY, SECURITY_HEADERS } from '../../../../src/main/electron/csp'

const rules = new Map(
  CONTENT_SECURITY_POLICY.split('; ').map((rule) => {
    const [name, ...values] = rule.split(' ')
    return [name!, values.join(' ')] as const
  }),
)

test('everything that is not named is forbidden', () => {
  expect(rules.get('default-src')).toBe("'none'")
})

test('scripts come from the own files only, without inline code, eval, wasm or another host', () => {
  expect(rules.get('script-src')).toBe("'self'")
  expect(rules.get('require-trusted-types-for')).toBe("'script'")
})

test('only styles have an exception', () => {
  expect(CONTENT_SECURITY_POLICY.match(/unsafe-[a-z-]+/g)).toEqual(['unsafe-inline'])
  expect(rules.get('style-src')).toBe("'self' 'unsafe-inline'")
})

test('no rule names a host, a scheme of the network or a wildcard', () => {
  expect(CONTENT_SECURITY_POLICY).not.toMatch(/\*|https?:|wss?:|filesystem:/)
})

for (const name of ['form-action', 'frame-src', 'frame-ancestors', 'object-src', 'base-uri']) {
  test(`${name} allows nothing`, () => {
    expect(rules.get(name)).toBe("'none'")
  })
}

test('the other headers are sent too', () => {
  expect(SECURITY_HEADERS).toMatchObject({
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
  })
})
