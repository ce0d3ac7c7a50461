import { describe, expect, test } from 'vitest'
import { expireOld } from '../../../src/main/follow-time'
import type { Policy } from '../../../src/main/policy/policy-file'
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

describe('a request that waits too long', () => {
  const log = { info() {}, warn() {}, error() {} }
  const waiting = [
    { id: 'old', createdAt: 0 },
    { id: 'new', createdAt: 100_000 },
  ] as never[]
  const expired = async (policy: Policy | null) => {
    const ended: string[] = []
    await expireOld({
      broker: { pending: () => waiting },
      policy: { now: () => ({ policy }) as never },
      expire: async (id, why) => void ended.push(`${id}: ${why}`),
      now: () => 120_000,
      log,
    })
    return ended
  }

  test('ends where the policy says so, and the others stay', async () => {
    expect(await expired({ version: 1, organisation: 'Northwind', request_timeout_minutes: 2 })).toEqual([
      'old: Nobody answered within 2 minutes, the limit of Northwind',
    ])
  })

  test('never ends without such a policy', async () => {
    expect([await expired(null), await expired({ version: 1 })]).toEqual([[], []])
  })
})
