import { describe, expect, it } from 'vitest'
import { GO_ON, toInstructions, toMessages } from '../../../../src/main/llm/history'
import type { HistoryEntry } from '../../../../src/main/llm/types'

const ANSWER = [
  { role: 'assistant', content: [{ type: 'text', text: 'b', providerOptions: { x: { y: 1 } } }] },
]

describe('history for a provider', () => {
  it('leaves empty blocks of the instructions out', () => {
    expect(toInstructions(['rules', '', ' \n']).map((block) => block.content)).toEqual(['rules'])
  })

  it('gives the answers of a model back as they came', () => {
    const [message] = toMessages([{ role: 'assistant', providerMessages: ANSWER }])
    expect(message).toBe(ANSWER[0])
  })

  it('never ends with words of the model, and keeps its own words where they were said', () => {
    const broken: HistoryEntry[] = [
      { role: 'user', text: 'a' },
      { role: 'assistant', providerMessages: ANSWER },
    ]
    const rolesOf = (history: HistoryEntry[]) => toMessages(history).map(({ role }) => role)
    expect(rolesOf(broken)).toEqual(['user', 'assistant', 'user'])
    expect(JSON.stringify(toMessages(broken).at(-1)?.content)).toContain(GO_ON)
    const later: HistoryEntry[] = [...broken, { role: 'assistant', providerMessages: ANSWER }]
    expect(rolesOf([...later, { role: 'user', text: 'c' }])).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(broken).toHaveLength(2)
  })

  it('marks the last message without changing what it was given', () => {
    const history: HistoryEntry[] = [
      { role: 'user', text: 'a' },
      { role: 'assistant', providerMessages: ANSWER },
      { role: 'tool', results: [{ providerCallId: '1', toolName: 't', value: { success: true } }] },
    ]
    const before = structuredClone(history)
    const messages = toMessages(history)
    expect(messages.map((message) => message.providerOptions !== undefined)).toEqual([false, false, true])
    expect(history).toEqual(before)
  })

  it('sends a missing result as null and no message for no results', () => {
    const messages = toMessages([
      { role: 'tool', results: [{ providerCallId: '1', toolName: 't', value: undefined }] },
      { role: 'tool', results: [] },
    ])
    expect(messages).toHaveLength(1)
    expect(JSON.stringify(messages)).toContain('{"type":"json","value":null}')
  })

  it('answers calls that nobody answered, right after the answer they came with', () => {
    const call = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: 't', input: {} })
    const answer = (...ids: string[]): HistoryEntry => ({
      role: 'assistant',
      providerMessages: [{ role: 'assistant', content: ids.map(call) }],
    })
    const history: HistoryEntry[] = [
      answer('a', 'b', 'c'),
      { role: 'tool', results: [{ providerCallId: 'b', toolName: 't', value: 1 }] },
      answer('d'),
      { role: 'user', text: 'go on' },
      answer('e'),
    ]
    const ids = toMessages(history).map((message) =>
      message.role === 'tool'
        ? message.content.map((part) => (part.type === 'tool-result' ? part.toolCallId : ''))
        : message.role,
    )
    expect(ids).toEqual(['assistant', ['b', 'a', 'c'], 'assistant', ['d'], 'user', 'assistant', ['e']])
    expect(JSON.stringify(toMessages(history)[1])).toContain('not carried out')
  })
})
