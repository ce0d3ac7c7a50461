import { expect, test } from 'vitest'
import type { ProviderView } from '@shared/domain/settings'
import { wantedModel } from '../../../../src/cli/chat/choice'

const PROVIDERS = [
  provider('practice', ['scripted']),
  provider('mine', ['small', 'big']),
  provider('other', ['big']),
]

function provider(id: string, models: string[]): ProviderView {
  return { id, kind: 'openai-compatible', label: id, models, keySource: 'none', state: 'ready' }
}

function asked(values: Record<string, string>): string | undefined {
  const given = { flags: new Set<string>(), words: [], values: new Map(Object.entries(values)) }
  return wantedModel(given, PROVIDERS)
}

test.each<[Record<string, string>, string | undefined]>([
  [{}, undefined],
  [{ model: 'mine/small' }, 'mine/small'],
  [{ model: 'small' }, 'mine/small'],
  [{ provider: 'mine' }, 'mine/small'],
  [{ provider: 'mine', model: 'new/one' }, 'mine/new/one'],
  [{ provider: 'anthropic', model: 'anthropic/claude' }, 'anthropic/claude'],
  [{ 'base-url': 'http://127.0.0.1:1', model: 'm' }, 'openai-compatible/m'],
])('%j means the model %s', (values, model) => {
  expect(asked(values)).toBe(model)
})

test.each([
  [{ provider: 'nobody' }, 'There is no provider "nobody"'],
  [{ provider: 'ollama' }, 'Say which model of ollama'],
  [{ model: 'big' }, 'Several providers have big: mine, other'],
  [{ model: 'nobody/big' }, 'No provider is known to have nobody/big'],
])('%j is wrong use', (values, words) => {
  expect(() => asked(values as Record<string, string>)).toThrow(words)
})
