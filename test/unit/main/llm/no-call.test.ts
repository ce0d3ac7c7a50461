import { afterEach, beforeEach, expect, it } from 'vitest'
import { startFakeProvider, type FakeProvider } from '../../../helpers/fake-provider'
import { collect, llmFor, requestOf } from './llm-kit'

let fake: FakeProvider
beforeEach(async () => {
  fake = await startFakeProvider()
})
afterEach(async () => {
  await fake.close()
})

it('says that a provider of a chat is gone', async () => {
  const events = await collect(llmFor('openai', fake.url).stream(requestOf({ model: 'gone/x' })))
  expect(events).toEqual([
    {
      type: 'error',
      error: expect.objectContaining({ code: 'not_found', message: expect.stringContaining('"gone"') }),
    },
  ])
})

it.each([
  ['key-missing', undefined, 'There is no key for Fake.'],
  ['key-missing', 'FAKE_KEY', 'FAKE_KEY is not set'],
  ['key-unreadable', undefined, "can't be opened"],
] as const)('makes no call in the state %s (%s)', async (state, keyEnv, words) => {
  const config = {
    id: 'p',
    kind: 'anthropic' as const,
    label: 'Fake',
    baseUrl: fake.url,
    state,
    ...(keyEnv === undefined ? {} : { keyEnv }),
  }
  const llm = llmFor('anthropic', fake.url, {
    providers: { config: () => config, key: () => null, list: () => [] },
  })
  expect(await collect(llm.stream(requestOf()))).toEqual([
    {
      type: 'error',
      error: expect.objectContaining({ code: 'no_key', message: expect.stringContaining(words) }),
    },
  ])
  expect(fake.requests).toEqual([])
})

it('has a window for every model, and a careful one for unknown and local ones', () => {
  const remote = llmFor('openai', 'https://models.example/v1')
  expect(remote.contextWindow('p/claude-sonnet-4-5')).toBe(200_000)
  expect(remote.contextWindow('p/gpt-4o-mini')).toBe(128_000)
  expect(remote.contextWindow('p/never-heard-of')).toBe(32_768)
  expect(llmFor('openai', fake.url).contextWindow('p/llama-3.1-8b')).toBe(32_768)
  expect(remote.contextWindow('practice/scripted')).toBe(200_000)
})
