import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Thinking } from '@shared/domain/agent'
import { startFakeProvider, type FakeProvider, type Protocol } from '../../../helpers/fake-provider'
import type { HistoryEntry } from '../../../../src/main/llm/types'
import { collect, joined, KEY, llmFor, PROTOCOLS, requestOf } from './llm-kit'

let fake: FakeProvider
beforeEach(async () => {
  fake = await startFakeProvider()
})
afterEach(async () => {
  await fake.close()
})

async function sentBody(
  protocol: Protocol,
  model: string,
  more: { thinking?: Thinking } = {},
): Promise<Record<string, unknown>> {
  fake.queue({ text: ['ok'] })
  await collect(llmFor(protocol, fake.url).stream(requestOf({ model: `p/${model}`, ...more })))
  return fake.requests.at(-1)?.body as Record<string, unknown>
}

it.each<[Protocol, string, string, unknown]>([
  ['anthropic', 'claude-opus-4-6', 'thinking', { type: 'adaptive', display: 'summarized' }],
  ['anthropic', 'claude-haiku-5-5', 'thinking', { type: 'adaptive', display: 'summarized' }],
  ['anthropic', 'claude-sonnet-4-20250514', 'thinking', undefined],
  ['anthropic', 'claude-3-5-sonnet-latest', 'thinking', undefined],
  ['openai-responses', 'gpt-5', 'reasoning', { summary: 'auto' }],
  ['openai-responses', 'gpt-4o', 'reasoning', undefined],
  ['openai-responses', 'gpt-5', 'include', ['reasoning.encrypted_content']],
  ['openai-responses', 'gpt-5', 'store', false],
])('over %s, %s gets its %s', async (protocol, model, field, value) => {
  expect((await sentBody(protocol, model))[field]).toEqual(value)
})

it.each([
  ['gemini-2.5-pro', { includeThoughts: true }],
  ['gemini-3-flash', { includeThoughts: true }],
  ['gemini-2.0-flash', undefined],
  ['gemini-2.5-flash-image', undefined],
])('asks %s for its thoughts only where it can', async (model, value) => {
  const { generationConfig } = await sentBody('google', model)
  expect((generationConfig as { thinkingConfig?: unknown }).thinkingConfig).toEqual(value)
})

it.each<[Protocol, string, Thinking, [field: string, value: unknown]]>([
  ['anthropic', 'claude-opus-4-6', 'off', ['thinking', { type: 'disabled' }]],
  ['anthropic', 'claude-opus-4-6', 'low', ['output_config', { effort: 'low' }]],
  ['anthropic', 'claude-3-5-sonnet-latest', 'high', ['output_config', undefined]],
  ['openai-responses', 'gpt-5', 'off', ['reasoning', { effort: 'minimal', summary: 'auto' }]],
  ['openai-responses', 'gpt-5.2', 'off', ['reasoning', { effort: 'none', summary: 'auto' }]],
  ['openai-responses', 'o3', 'high', ['reasoning', { effort: 'high', summary: 'auto' }]],
  ['openai-responses', 'gpt-4o', 'high', ['reasoning', undefined]],
  ['openai', 'qwen3', 'high', ['reasoning_effort', undefined]],
])('over %s, %s is told to think "%s" where it can be', async (protocol, model, thinking, [field, value]) => {
  expect((await sentBody(protocol, model, { thinking }))[field]).toEqual(value)
})

it.each<[string, Thinking, unknown]>([
  ['gemini-2.5-flash', 'off', { includeThoughts: true, thinkingBudget: 0 }],
  ['gemini-2.5-pro', 'off', { includeThoughts: true, thinkingBudget: 128 }],
  ['gemini-3-flash', 'high', { includeThoughts: true, thinkingLevel: 'high' }],
  ['gemini-3-flash', 'medium', { includeThoughts: true }],
  ['gemini-2.0-flash', 'high', undefined],
])('tells %s to think "%s" in its own way', async (model, thinking, value) => {
  const { generationConfig } = await sentBody('google', model, { thinking })
  expect((generationConfig as { thinkingConfig?: unknown }).thinkingConfig).toEqual(value)
})

it.each(PROTOCOLS)('over %s, counts what came from the cache and what was reasoning', async (protocol) => {
  fake.queue({ text: ['ok'], usage: { input: 90, output: 30, cached: 64, reasoning: 10 } })
  const done = (await collect(llmFor(protocol, fake.url).stream(requestOf()))).at(-1)
  expect(done).toMatchObject({
    type: 'done',
    usage: {
      inputTokens: 90,
      outputTokens: 30,
      cacheReadTokens: 64,
      // Anthropic counts its reasoning with the text.
      ...(protocol === 'anthropic' ? {} : { reasoningTokens: 10 }),
    },
  })
})

it('sends the reasoning of a call that acted back sealed, with nothing kept at the provider', async () => {
  const call = { id: 'c1', name: 'skills_read', input: { path: 'a' } }
  fake.queue({ reasoning: ['Hm.'], signature: 'SEALED==', toolCalls: [call] }, { text: ['Done.'] })
  const llm = llmFor('openai-responses', fake.url)
  const first = await collect(llm.stream(requestOf({ model: 'p/gpt-5' })))
  const done = first.at(-1)
  if (done?.type !== 'done') throw new Error(`ended with ${JSON.stringify(done)}`)
  const history: HistoryEntry[] = [
    { role: 'user', text: 'hello' },
    { role: 'assistant', providerMessages: done.providerMessages },
    { role: 'tool', results: [{ providerCallId: 'c1', toolName: 'skills_read', value: 1 }] },
  ]
  const second = await collect(llm.stream(requestOf({ model: 'p/gpt-5', history })))
  expect(joined(second)[0]).toEqual({ type: 'text', text: 'Done.' })
  const sent = JSON.stringify(fake.requests[1]?.body)
  expect(sent).toContain('"encrypted_content":"SEALED=="')
  expect(sent).not.toContain('item_reference')
})

it.each(['OPENAI', 'GOOGLE_GENERATIVE_AI'])('takes nothing of %s from the environment', async (name) => {
  const protocol = name === 'OPENAI' ? 'openai-responses' : 'google'
  process.env[`${name}_BASE_URL`] = 'http://127.0.0.1:1/elsewhere'
  process.env[`${name}_API_KEY`] = 'key-of-the-environment'
  try {
    await sentBody(protocol, 'model-a')
    expect(JSON.stringify(fake.requests[0]?.headers)).toContain(KEY)
    expect(JSON.stringify(fake.requests[0]?.headers)).not.toContain('key-of-the-environment')
  } finally {
    delete process.env[`${name}_BASE_URL`]
    delete process.env[`${name}_API_KEY`]
  }
})
