import { afterEach, beforeEach, expect, it } from 'vitest'
import { PROVIDER_PRESETS, type ProviderPreset } from '@shared/provider-presets'
import { startFakeProvider, type FakeProvider } from '../../../helpers/fake-provider'
import { findLocalServers } from '../../../../src/main/llm/local-servers'
import { fakeTiming } from './llm-kit'

let fake: FakeProvider
beforeEach(async () => {
  fake = await startFakeProvider()
})
afterEach(async () => {
  await fake.close()
})

const preset = (name: string, baseUrl: string): ProviderPreset => ({
  name,
  kind: 'openai-compatible',
  baseUrl,
  needsKey: false,
  keyEnv: '',
})

it('finds a server with its models, and sends it no key', async () => {
  const found = await findLocalServers({ fetch: globalThis.fetch, presets: [preset('Here', fake.url)] })
  expect(found).toEqual([{ name: 'Here', baseUrl: fake.url, models: ['model-a', 'model-b'] }])
  expect(Object.keys(fake.modelRequests[0]?.headers ?? {})).not.toContain('authorization')
})

it.each([
  ['something else answers', { body: '<html></html>', contentType: 'text/html' }],
  ['it refuses', { status: 401 }],
  ['it sends on', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }],
])('leaves a port out where %s', async (_name, turn) => {
  fake.modelsTurn = turn
  expect(await findLocalServers({ fetch: globalThis.fetch, presets: [preset('Odd', fake.url)] })).toEqual([])
})

it('leaves a port out where nothing listens', async () => {
  const url = fake.url
  await fake.close()
  expect(await findLocalServers({ fetch: globalThis.fetch, presets: [preset('Gone', url)] })).toEqual([])
  fake = await startFakeProvider()
})

it('gives up on a server that does not answer', async () => {
  const timing = fakeTiming({ retries: true })
  fake.modelsTurn = { hangAfter: -1 }
  const hanging: typeof fetch = (url, init) => {
    const answer = fetch(url, init)
    timing.advance(1500)
    return answer
  }
  expect(await findLocalServers({ fetch: hanging, timing, presets: [preset('Slow', fake.url)] })).toEqual([])
})

it('asks the ports of Ollama, LM Studio and llama.cpp on 127.0.0.1, and nothing else', async () => {
  const asked: string[] = []
  const refusing: typeof fetch = (input) => {
    asked.push(new Request(input).url)
    return Promise.reject(new TypeError('fetch failed'))
  }
  expect(await findLocalServers({ fetch: refusing, presets: PROVIDER_PRESETS })).toEqual([])
  expect(asked.sort()).toEqual([
    'http://127.0.0.1:11434/v1/models',
    'http://127.0.0.1:1234/v1/models',
    'http://127.0.0.1:8080/v1/models',
  ])
})
