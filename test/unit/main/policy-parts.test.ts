import { describe, expect, test } from 'vitest'
import { isAllowed } from '../../../src/main/policy-providers'

describe('providers that the policy lists', () => {
  const anthropic = { id: 'anthropic', kind: 'anthropic', baseUrl: 'https://api.anthropic.com/v1' } as const
  const local = { id: 'ollama', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' } as const
  test.each<[string[] | undefined, typeof anthropic | typeof local, boolean]>([
    [undefined, anthropic, true],
    [[], anthropic, false],
    [['anthropic'], anthropic, true],
    [['anthropic'], local, false],
    [['http://127.0.0.1:*'], local, true],
    [['http://127.0.0.1:11434'], local, true],
    [['http://127.0.0.1:1143'], local, false],
    [['https://*.anthropic.com'], anthropic, true],
    [['https://evil.com'], anthropic, false],
  ])('%j and %j: %s', (allow, config, allowed) => {
    expect(isAllowed(allow ? { providers: { allow } } : null, config)).toBe(allowed)
  })

  test('a listed name does not let messages go to another address', () => {
    const elsewhere = { ...anthropic, baseUrl: 'https://api.anthropic.com.evil.com' }
    expect(isAllowed({ providers: { allow: ['anthropic'] } }, elsewhere)).toBe(false)
    expect(isAllowed({ providers: { allow: ['https://api.anthropic.com'] } }, elsewhere)).toBe(false)
    const named = { ...local, baseUrl: 'http://127.0.0.1:80@evil.com/' }
    expect(isAllowed({ providers: { allow: ['http://127.0.0.1:*'] } }, named)).toBe(false)
  })
})
