import { describe, expect, test } from 'vitest'
import type { CallRow } from '../../../../../src/main/db/call-rows'
import type { MessageRow } from '../../../../../src/main/db/message-rows'
import { toHistory } from '../../../../../src/main/sessions/history/history'

const message = (seq: number, over: Partial<MessageRow>): MessageRow => ({
  id: `m${seq}`,
  sessionId: 's',
  seq,
  role: 'assistant',
  status: 'done',
  parts: [{ type: 'text', text: `text ${seq}` }],
  usage: null,
  model: null,
  createdAt: 0,
  providerMessages: null,
  ...over,
})
const call = (messageId: string, id: string): CallRow => ({
  id,
  sessionId: 's',
  messageId,
  providerCallId: `p-${id}`,
  step: 1,
  name: 'skills_read',
  input: {},
  state: 'done',
  envelope: {
    success: true,
    result: id,
    duration_ms: 0,
    tokens_used: 0,
    cost_usd: 0,
    cached: false,
    retry_count: 0,
  },
  requestId: null,
  runId: null,
  startedAt: null,
  endedAt: null,
})

describe('toHistory', () => {
  test('a queued message and an answer that is arriving are not sent', () => {
    const rows = [message(1, { role: 'user', status: 'queued' }), message(2, { status: 'streaming' })]
    expect(toHistory(rows, [])).toEqual([])
  })

  test("the provider's own form goes back untouched", () => {
    const providerMessages = [{ role: 'assistant', content: [{ type: 'reasoning', signature: 'abc' }] }]
    expect(toHistory([message(1, { providerMessages })], [])).toEqual([
      { role: 'assistant', providerMessages },
    ])
  })

  test('results follow their answer, under the ids that the provider gave', () => {
    const rows = [message(1, { providerMessages: [{}] }), message(2, { role: 'user' })]
    const history = toHistory(rows, [call('m1', 'a'), call('m1', 'b')])
    expect(history.map((entry) => entry.role)).toEqual(['assistant', 'tool', 'user'])
    expect(history[1]).toMatchObject({ results: [{ providerCallId: 'p-a' }, { providerCallId: 'p-b' }] })
  })

  test('of an answer that broke off, the text that arrived is kept', () => {
    expect(toHistory([message(1, { status: 'stopped' })], [])).toEqual([
      {
        role: 'assistant',
        providerMessages: [{ role: 'assistant', content: [{ type: 'text', text: 'text 1' }] }],
      },
    ])
  })

  test.each(['', ' ', '\n\n'])(
    'an answer of nothing but %j leaves no trace: providers refuse such a text',
    (text) => {
      expect(toHistory([message(1, { status: 'stopped', parts: [{ type: 'text', text }] })], [])).toEqual([])
    },
  )

  test('an answer that broke off before its first word leaves no trace', () => {
    expect(toHistory([message(1, { status: 'error', parts: [] })], [])).toEqual([])
  })
})
