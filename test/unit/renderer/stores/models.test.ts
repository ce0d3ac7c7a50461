import type { ProviderView } from '@shared/domain/settings'
import { expect, test } from 'vitest'
import { describeModel, modelChoices } from '../../../../src/renderer/stores/models'

const local: ProviderView = {
  id: 'ollama',
  kind: 'openai-compatible',
  label: 'Ollama',
  baseUrl: 'http://127.0.0.1:11434/v1',
  models: ['qwen3/30b'],
  keySource: 'none',
  state: 'ready',
}
const remote: ProviderView = {
  id: 'acme',
  kind: 'anthropic',
  label: 'Acme',
  models: ['m'],
  keySource: 'env',
  state: 'key-missing',
}

test('the practice agent always says that it is scripted', () => {
  expect(describeModel('practice/scripted', [])).toMatchObject({
    name: 'Practice agent, scripted',
    scripted: true,
    ready: true,
  })
})

test.each([
  ['ollama/qwen3/30b', { name: 'qwen3/30b', full: 'qwen3/30b on Ollama', state: 'local', ready: true }],
  ['acme/m', { state: 'key missing', ready: false }],
  ['cloud/m', { state: 'set up', ready: true }],
  ['gone/m', { name: 'm', state: 'not set up', ready: false }],
])('%s is described by its provider', (ref, view) => {
  expect(describeModel(ref, [local, remote, { ...remote, id: 'cloud', state: 'ready' }])).toMatchObject(view)
})

test('the choices are the practice agent, then every model of every provider', () => {
  expect(modelChoices([local, remote])).toEqual(['practice/scripted', 'ollama/qwen3/30b', 'acme/m'])
})
