import type { SessionEvent } from '@shared/domain/session'
import { describe, expect, test } from 'vitest'
import { applyEvents, queuedIds } from '../../../../src/renderer/stores/chat-state'
import { call, detail, message } from '../chat-fixtures'

const snapshot: SessionEvent = {
  t: 'snapshot',
  seq: 7,
  session: detail(),
  messages: [message('b', 2, { parts: [{ type: 'text', text: 'Hel' }] }), message('a', 1, { role: 'user' })],
  calls: [call(1, 'skills_load')],
  older: null,
}

function started() {
  const { chat } = applyEvents(undefined, [snapshot])
  if (!chat) throw new Error('no chat')
  return chat
}

function delta(
  seq: number,
  text: string,
  over: Partial<Extract<SessionEvent, { t: 'delta' }>> = {},
): SessionEvent {
  return { t: 'delta', seq, messageId: 'b', partIndex: 0, kind: 'text', text, ...over }
}

describe('applyEvents', () => {
  test('a snapshot orders messages by their number', () => {
    expect(started().order).toEqual(['a', 'b'])
  })

  test('deltas of a batch are appended in order to their part', () => {
    const { chat } = applyEvents(started(), [delta(8, 'lo '), delta(9, 'you')])
    expect(chat?.messages['b']?.parts).toEqual([{ type: 'text', text: 'Hello you' }])
    expect(chat?.seq).toBe(9)
  })

  test('a delta at the end opens a new part', () => {
    const { chat } = applyEvents(started(), [delta(8, 'hm', { partIndex: 1, kind: 'reasoning' })])
    expect(chat?.messages['b']?.parts[1]).toEqual({ type: 'reasoning', text: 'hm' })
  })

  test('rows that did not change keep their identity', () => {
    const before = started()
    const { chat } = applyEvents(before, [delta(8, 'lo')])
    expect(chat?.messages['a']).toBe(before.messages['a'])
    expect(chat?.messages['b']).not.toBe(before.messages['b'])
    expect(before.messages['b']?.parts).toEqual([{ type: 'text', text: 'Hel' }])
  })

  test.each<[string, SessionEvent]>([
    ['a number is missing', delta(9, 'x')],
    ['the message is unknown', delta(8, 'x', { messageId: 'nobody' })],
    ['the part is beyond the end', delta(8, 'x', { partIndex: 2 })],
    ['the part is of another kind', delta(8, 'x', { kind: 'reasoning' })],
  ])('a gap is reported and nothing is applied when %s', (_why, event) => {
    const before = started()
    expect(applyEvents(before, [event])).toEqual({ chat: before, gap: true })
  })

  test('an event that the snapshot already holds is passed over', () => {
    const { chat, gap } = applyEvents(started(), [delta(6, 'old'), delta(7, 'old'), delta(8, 'lo')])
    expect(gap).toBe(false)
    expect(chat?.messages['b']?.parts).toEqual([{ type: 'text', text: 'Hello' }])
  })

  test('an event before the first snapshot is a gap', () => {
    expect(applyEvents(undefined, [delta(1, 'x')]).gap).toBe(true)
  })

  test('a later snapshot in the batch replaces everything, whatever its number', () => {
    const { chat, gap } = applyEvents(started(), [delta(8, 'lo'), { ...snapshot, seq: 100 }])
    expect(gap).toBe(false)
    expect(chat?.messages['b']?.parts).toEqual([{ type: 'text', text: 'Hel' }])
    expect(chat?.seq).toBe(100)
  })

  test('a message that gets another number moves', () => {
    const { chat } = applyEvents(started(), [
      { t: 'message', seq: 8, message: message('a', 3, { role: 'user' }) },
    ])
    expect(chat?.order).toEqual(['b', 'a'])
  })

  test('calls and details are replaced by what main said', () => {
    const { chat } = applyEvents(started(), [
      { t: 'call', seq: 8, call: call(1, 'skills_load', { state: 'failed' }) },
      { t: 'session', seq: 9, session: detail({ state: 'running' }) },
    ])
    expect(chat?.calls['c1']?.state).toBe('failed')
    expect(chat?.detail.state).toBe('running')
  })

  const retry = (seq: number): SessionEvent => ({
    t: 'retry',
    seq,
    messageId: 'b',
    inMs: 12_000,
    reason: 'Acme is busy',
  })

  test('a retry is kept until the next one', () => {
    const { chat, gap } = applyEvents(started(), [retry(8), { ...retry(9), inMs: 500 } as SessionEvent])
    expect(gap).toBe(false)
    expect(chat?.retry).toMatchObject({ messageId: 'b', inMs: 500, reason: 'Acme is busy' })
  })

  test.each<[string, SessionEvent, boolean]>([
    ['text of its message', delta(9, 'lo'), false],
    ['its message', { t: 'message', seq: 9, message: message('b', 2, { status: 'error' }) }, false],
    ['a snapshot', { ...snapshot, seq: 20 }, false],
    ['another message', { t: 'message', seq: 9, message: message('q', 3, { role: 'user' }) }, true],
    ['the session', { t: 'session', seq: 9, session: detail() }, true],
  ])('after a retry comes %s', (_what, event, shown) => {
    const { chat } = applyEvents(started(), [retry(8), event])
    expect(chat?.retry !== undefined).toBe(shown)
  })

  test('queued messages are listed in order', () => {
    const { chat } = applyEvents(started(), [
      { t: 'message', seq: 8, message: message('q2', 9, { role: 'user', status: 'queued' }) },
      { t: 'message', seq: 9, message: message('q1', 8, { role: 'user', status: 'queued' }) },
    ])
    expect(chat && queuedIds(chat)).toEqual(['q1', 'q2'])
  })
})
