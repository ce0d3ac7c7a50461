import { expect, it } from 'vitest'
import { startFakeProvider, type Protocol } from '../../../helpers/fake-provider'

type Build = (calls: number, results: number) => object
const REQUESTS: [Protocol, string, Build][] = [
  [
    'anthropic',
    'messages',
    (calls, results) => ({
      messages: [
        { role: 'assistant', content: times(calls, { type: 'tool_use', id: 'a', name: 't', input: {} }) },
        { role: 'user', content: times(results, { type: 'tool_result', tool_use_id: 'a' }) },
      ],
    }),
  ],
  [
    'openai',
    'chat/completions',
    (calls, results) => ({
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', tool_calls: times(calls, { id: 'a', type: 'function' }) },
        ...times(results, { role: 'tool', tool_call_id: 'a', content: '1' }),
      ],
    }),
  ],
  [
    'openai-responses',
    'responses',
    (calls, results) => ({
      input: [
        ...times(calls, { type: 'function_call', call_id: 'a', name: 't', arguments: '{}' }),
        ...times(results, { type: 'function_call_output', call_id: 'a', output: '1' }),
      ],
    }),
  ],
  [
    'google',
    'models/m:streamGenerateContent?alt=sse',
    (calls, results) => ({
      contents: [
        { role: 'model', parts: times(calls, { functionCall: { name: 't', args: {} } }) },
        { role: 'user', parts: times(results, { functionResponse: { name: 't', response: {} } }) },
      ],
    }),
  ],
]

it.each(REQUESTS)(
  'the fake provider refuses results without a call of their own over %s',
  async (_p, path, build) => {
    const fake = await startFakeProvider()
    try {
      fake.answerWith(() => ({ text: ['ok'] }))
      const statusOf = async (calls: number, results: number) => {
        const body = JSON.stringify(build(calls, results))
        const response = await fetch(`${fake.url}/${path}`, { method: 'POST', body })
        await response.text()
        return response.status
      }
      expect(await statusOf(1, 1)).toBe(200)
      expect(await statusOf(2, 2)).toBe(200)
      expect(await statusOf(1, 2)).toBe(400)
      expect(await statusOf(0, 1)).toBe(400)
    } finally {
      await fake.close()
    }
  },
)

function times(count: number, item: object): object[] {
  return Array<object>(count).fill(item)
}
