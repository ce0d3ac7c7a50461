import type { ProviderView } from '@shared/domain/settings'
import { afterEach, expect, test } from 'vitest'
import {
  checksStore,
  findCheck,
  noteCheck,
  providerWord,
} from '../../../../src/renderer/stores/provider-checks'

const acme: ProviderView = {
  id: 'acme',
  kind: 'anthropic',
  label: 'Acme',
  models: ['m'],
  keySource: 'memory',
  keyLast4: 'cdef',
  state: 'ready',
}

afterEach(() => checksStore.setState({ byId: {} }))

const keyless: Partial<ProviderView> = { keySource: 'none' }

test.each<[string, Partial<ProviderView>, boolean | undefined, ReturnType<typeof providerWord>]>([
  ['with a key that was never used', {}, undefined, { tone: 'off', word: 'Key set, not checked' }],
  ['without a key that was never asked', keyless, undefined, { tone: 'off', word: 'Not checked' }],
  ['that answered', {}, true, { tone: 'ok', word: 'Ready' }],
  ['that did not answer', {}, false, { tone: 'bad', word: 'Check failed' }],
  ['whose key is gone by now', { state: 'key-missing' }, true, { tone: 'warn', word: 'Key missing' }],
  [
    'whose key can’t be read',
    { state: 'key-unreadable' },
    true,
    { tone: 'bad', word: 'Key can’t be read, enter it again' },
  ],
  ['that is built in', { ...keyless, kind: 'practice' }, undefined, { tone: 'ok', word: 'Ready' }],
])('a provider %s', (_what, over, ok, word) => {
  const check = ok === undefined ? undefined : { ok, message: '' }
  expect(providerWord({ ...acme, ...over }, check)).toEqual(word)
})

test('a check belongs to the provider as it was set up then', () => {
  noteCheck(acme, { ok: true, message: 'It answers.' })
  expect(findCheck(checksStore.getState(), { ...acme })).toEqual({ ok: true, message: 'It answers.' })
  expect(findCheck(checksStore.getState(), { ...acme, baseUrl: 'https://other.example' })).toBeUndefined()
  expect(findCheck(checksStore.getState(), { ...acme, id: 'other' })).toBeUndefined()
})
