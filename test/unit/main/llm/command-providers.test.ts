import { expect, test } from 'vitest'
import type { ProviderRow, ProviderRows } from '../../../../src/main/db/provider-rows'
import { commandProviders } from '../../../../src/main/llm/command-providers'

function row(change: Partial<ProviderRow>): ProviderRow {
  return {
    id: 'mine',
    kind: 'anthropic',
    label: 'Mine',
    baseUrl: null,
    models: ['m'],
    keySource: 'keychain',
    keyEnv: null,
    keySealed: Buffer.from('sealed'),
    keyBackend: 'keychain',
    keyLast4: 'abcd',
    createdAt: 1,
    ...change,
  }
}

function stored(...rows: ProviderRow[]): ProviderRows {
  const refuse = (): never => {
    throw new Error('nothing is written')
  }
  return {
    list: () => rows,
    get: (id) => rows.find((one) => one.id === id) ?? null,
    put: refuse,
    remove: refuse,
  }
}

const FROM = { env: {}, now: () => 5 }

test.each([
  ['at its own address has its usual variable', {}, 'ANTHROPIC_API_KEY'],
  [
    'at another address has a variable of its own',
    { baseUrl: 'https://proxy.test/v1' },
    'SATCHEL_MINE_API_KEY',
  ],
  ['that keeps its key in memory has its variable', { keySource: 'memory' as const }, 'ANTHROPIC_API_KEY'],
  ['that names a variable keeps it', { keySource: 'env' as const, keyEnv: 'OWN' }, 'OWN'],
])('a provider %s', (_what, change, keyEnv) => {
  const found = commandProviders(stored(row(change)), null, FROM).get('mine')
  expect(found).toMatchObject({ keySource: 'env', keyEnv })
})

test('no sealed key is ever handed on', () => {
  const rows = commandProviders(stored(row({})), null, FROM)
  expect(rows.get('mine')?.keySealed).toBeNull()
  expect(rows.list()[0]?.keySealed).toBeNull()
})

test('a preset is there by its id, a stored provider of that id before it', () => {
  expect(commandProviders(stored(), null, FROM).get('lm-studio')).toMatchObject({
    baseUrl: 'http://127.0.0.1:1234/v1',
    keySource: 'none',
  })
  const own = row({ id: 'openai', label: 'Own' })
  expect(commandProviders(stored(own), null, FROM).get('openai')?.label).toBe('Own')
  expect(commandProviders(stored(), null, FROM).get('nobody')).toBeNull()
})

test('a one-off server takes the place of a stored provider, without its key', () => {
  const oneOff = { id: 'mine', kind: 'openai-compatible' as const, baseUrl: 'http://127.0.0.1:9/v1' }
  const without = commandProviders(stored(row({})), oneOff, FROM)
  expect(without.get('mine')).toMatchObject({ baseUrl: oneOff.baseUrl, keySource: 'none' })
  expect(without.list()).toHaveLength(1)
  const withKey = commandProviders(stored(), oneOff, { ...FROM, env: { SATCHEL_API_KEY: 'k' } })
  expect(withKey.get('mine')).toMatchObject({ keySource: 'env', keyEnv: 'SATCHEL_API_KEY' })
})
