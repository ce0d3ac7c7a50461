import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startFakeProvider, type FakeProvider, type FakeTurn } from '../../../helpers/fake-provider'
import { checkProvider, checkUnsaved } from '../../../../src/main/llm/check'
import type { ProviderConfig } from '../../../../src/main/llm/provider-settings'
import { fakeTiming, KEY } from './llm-kit'

let fake: FakeProvider
beforeEach(async () => {
  fake = await startFakeProvider()
})
afterEach(async () => {
  await fake.close()
})

function depsFor(config: Partial<ProviderConfig> = {}, key: string | null = KEY) {
  const full: ProviderConfig = {
    id: 'p',
    kind: 'openai-compatible',
    label: 'Fake',
    baseUrl: fake.url,
    state: 'ready',
    ...config,
  }
  return {
    providers: { config: (id: string) => (id === 'p' ? full : null), key: () => key },
    fetch: globalThis.fetch,
    timing: fakeTiming({ retries: true }),
  }
}

describe('checkProvider', () => {
  it('lists the models of an OpenAI-compatible server with one call', async () => {
    fake.models = ['b', 'a']
    expect(await checkProvider(depsFor(), 'p')).toEqual({
      ok: true,
      message: 'Fake answered and offers 2 models.',
      models: ['a', 'b'],
    })
    expect(fake.modelRequests).toHaveLength(1)
    expect(fake.modelRequests[0]).toMatchObject({
      method: 'GET',
      path: '/v1/models',
      headers: { authorization: `Bearer ${KEY}` },
    })
  })

  it('speaks to Anthropic with its own headers', async () => {
    await checkProvider(depsFor({ kind: 'anthropic' }), 'p')
    expect(fake.modelRequests[0]?.headers).toMatchObject({
      'x-api-key': KEY,
      'anthropic-version': '2023-06-01',
    })
    expect(fake.modelRequests[0]?.headers).not.toHaveProperty('authorization')
  })

  it('lists the models of Google that can answer, by their bare names', async () => {
    fake.modelsAs = 'google'
    const result = await checkProvider(depsFor({ kind: 'google' }), 'p')
    expect(result.models).toEqual(['model-a', 'model-b'])
    expect(fake.modelRequests[0]?.headers['x-goog-api-key']).toBe(KEY)
    expect(fake.modelRequests[0]?.headers).not.toHaveProperty('authorization')
  })

  it('asks an older Ollama on this computer for its own list, without the key', async () => {
    fake.modelsTurn = { status: 404 }
    fake.tags = ['qwen3:8b', 'llama3.2:latest']
    expect((await checkProvider(depsFor(), 'p')).models).toEqual(['llama3.2:latest', 'qwen3:8b'])
    expect(fake.modelRequests[1]).toMatchObject({ path: '/api/tags' })
    expect(fake.modelRequests[1]?.headers).not.toHaveProperty('authorization')
  })

  it('sends no key where there is none', async () => {
    expect((await checkProvider(depsFor({}, null), 'p')).ok).toBe(true)
    expect(fake.modelRequests[0]?.headers).not.toHaveProperty('authorization')
  })

  it.each<[string, FakeTurn, RegExp]>([
    ['401', { status: 401 }, /did not accept the key/],
    ['403', { status: 403 }, /no permission/],
    ['404', { status: 404 }, /no list of models.*\/v1/],
    ['429', { status: 429 }, /limit is reached/],
    ['500', { status: 500 }, /failed on its side/],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://other.example/' }, body: '' },
      /other\.example.*did not follow/,
    ],
    ['a web page', { body: '<html></html>', contentType: 'text/html' }, /not with a list of models/],
    ['an odd answer', { body: '{"list":[]}' }, /not with a list of models/],
    ['nothing', { body: '' }, /not with a list of models/],
    ['null', { body: 'null' }, /not with a list of models/],
    ['too much', { body: `{"data":["${'x'.repeat(2_100_000)}"]}` }, /not with a list of models/],
  ])('explains %s', async (_name, turn, words) => {
    fake.modelsTurn = turn
    const result = await checkProvider(depsFor(), 'p')
    expect(result).toMatchObject({ ok: false, models: [] })
    expect(result.message).toMatch(words)
  })

  it('skips entries that are no names', async () => {
    fake.modelsTurn = { body: '{"data":[{"id":"ok"},{"id":7},null,{},{"id":""}]}' }
    expect((await checkProvider(depsFor(), 'p')).models).toEqual(['ok'])
  })

  it('explains a server that can not be reached', async () => {
    const baseUrl = fake.url
    await fake.close()
    expect((await checkProvider(depsFor({ baseUrl }), 'p')).message).toMatch(
      /could not be reached.*ECONNREFUSED/,
    )
    fake = await startFakeProvider()
  })

  it('gives up after 15 seconds', async () => {
    const deps = depsFor()
    fake.modelsTurn = { hangAfter: -1 }
    const hanging: typeof fetch = (url, init) => {
      const answer = fetch(url, init)
      deps.timing.advance(15_000)
      return answer
    }
    const result = await checkProvider({ ...deps, fetch: hanging }, 'p')
    expect(result.message).toMatch(/did not begin to answer/)
  })

  it.each<[Partial<ProviderConfig>, RegExp]>([
    [{ state: 'key-missing' }, /There is no key/],
    [{ state: 'key-missing', keyEnv: 'MY_KEY' }, /MY_KEY is not set/],
    [{ state: 'key-unreadable' }, /Enter it again/],
  ])('makes no call in the state %j', async (config, words) => {
    expect((await checkProvider(depsFor(config), 'p')).message).toMatch(words)
    expect(fake.modelRequests).toEqual([])
  })

  it('knows the practice agent, and no one else', async () => {
    expect(await checkProvider(depsFor(), 'practice')).toMatchObject({ ok: true, models: ['scripted'] })
    expect(await checkProvider(depsFor(), 'gone')).toMatchObject({ ok: false })
  })
})

describe('checkUnsaved', () => {
  const unsaved = (config: ProviderConfig, key: string | null) => ({
    ...depsFor(),
    providers: { unsaved: () => ({ config, key }) },
  })
  const draft = { id: 'p', kind: 'openai-compatible' as const, label: 'New', key: { store: 'none' as const } }

  it('asks the address that was typed with the key that was typed', async () => {
    fake.models = ['a']
    const config: ProviderConfig = { ...draft, baseUrl: fake.url, state: 'ready' }
    expect(await checkUnsaved(unsaved(config, KEY), draft)).toMatchObject({ ok: true, models: ['a'] })
    expect(fake.modelRequests[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}` })
  })

  it('asks nobody while the variable with the key is not set', async () => {
    const config: ProviderConfig = {
      ...draft,
      baseUrl: fake.url,
      state: 'key-missing',
      keyEnv: 'NO_KEY',
    }
    const answer = await checkUnsaved(unsaved(config, null), draft)
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('NO_KEY is not set') })
    expect(fake.modelRequests).toHaveLength(0)
  })
})
