import { describe, expect, test } from 'vitest'
import { LOCKED_DOWN } from '../../../src/main/policy/policy-file'
import { isAllowed } from '../../../src/main/app/policy/providers'
import { allowedHosts } from '../../../src/main/app/runs/parts'
import { hostsFor } from '../../../src/main/runs/sandbox/profiles'

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

describe('hosts that the policy lists', () => {
  const hosts = (
    policy: object | null,
    given: string[],
    wish: string[] | 'none' | 'restricted' | undefined,
  ) => {
    const inForce = policy && { version: 1, ...policy }
    return hostsFor(given, wish, allowedHosts({ now: () => ({ policy: inForce }) as never } as never))
  }
  const BOTH = ['api.example.com', 'api.example.org']

  test.each<[object | null, string[]]>([
    [null, ['api.example.com:443', 'api.example.org:443']],
    [{ network: {} }, ['api.example.com:443', 'api.example.org:443']],
    [{ network: { allow: ['api.example.com', 'other.example.com'] } }, ['api.example.com:443']],
    [{ network: { allow: ['*.example.org'] } }, ['api.example.org:443']],
    [{ network: { allow: ['api.example.com:8443', '*', '127.0.0.1'] } }, []],
    [{ network: { allow: [] } }, []],
    [LOCKED_DOWN, []],
  ])('%j leaves %j', (policy, left) => expect(hosts(policy, BOTH, BOTH)).toEqual(left))

  test('they never add one that the person did not give or the skill does not ask for', () => {
    const policy = { network: { allow: BOTH } }
    expect(hosts(policy, [], BOTH)).toEqual([])
    for (const wish of [[], undefined, 'none', 'restricted'] as const) {
      expect(hosts(policy, BOTH, typeof wish === 'object' ? [...wish] : wish)).toEqual([])
    }
    expect(hosts(policy, ['*.example.com'], ['api.example.com'])).toEqual(['api.example.com:443'])
  })
})
