import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SessionEvent } from '@shared/domain/session'
import { insertMessage, type MessageRow } from '../../../../../src/main/db/message-rows'
import { createDraft } from '../../../../../src/main/sessions/history/draft'
import { snapshotOf } from '../../../../../src/main/sessions/history/detail'
import { createKit, type Kit } from '../kit'

let kit: Kit
let id: string
let message: MessageRow
let sent: SessionEvent[]

beforeEach(async () => {
  kit = await createKit()
  id = kit.chat()
  message = {
    id: 'm1',
    sessionId: id,
    seq: 1,
    role: 'assistant',
    status: 'streaming',
    parts: [],
    usage: null,
    model: 'practice/scripted',
    createdAt: 1,
    providerMessages: null,
  }
  kit.deps.db.tx(() => insertMessage(kit.deps.db.sql, message))
  sent = []
  kit.deps.live.emit = (_id, event) => void sent.push({ ...event, seq: 0 })
  vi.useFakeTimers()
})
afterEach(async () => {
  vi.useRealTimers()
  await kit.remove()
})

const saved = () => kit.messages(id)[0]!.parts
const deltas = () => sent.map((event) => (event.t === 'delta' ? [event.partIndex, event.text] : event.t))

describe('an answer that arrives', () => {
  test('is sent in one piece for each 33 ms', () => {
    const draft = createDraft(kit.deps, message)
    for (const text of ['a', 'b', 'c']) draft.add('text', text)
    expect(deltas()).toEqual([])
    vi.advanceTimersByTime(33)
    expect(deltas()).toEqual([[0, 'abc']])
    draft.finish()
  })

  test('sends what is left of one kind before the next begins', () => {
    const draft = createDraft(kit.deps, message)
    draft.add('reasoning', 'hm')
    draft.add('text', 'yes')
    draft.add('reasoning', 'well')
    expect(draft.finish().parts).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'yes' },
      { type: 'reasoning', text: 'well' },
    ])
    expect(deltas()).toEqual([
      [0, 'hm'],
      [1, 'yes'],
      [2, 'well'],
    ])
  })

  test('is saved 250 ms after it was sent, also when nothing follows', () => {
    const draft = createDraft(kit.deps, message)
    draft.add('text', 'half')
    vi.advanceTimersByTime(33)
    expect(saved()).toEqual([])
    vi.advanceTimersByTime(250)
    expect(saved()).toEqual([{ type: 'text', text: 'half' }])
    draft.finish()
  })

  test('is whole for a page that joins between two saves, and no piece comes twice', () => {
    const draft = createDraft(kit.deps, message)
    draft.add('text', 'sent')
    vi.advanceTimersByTime(33)
    draft.add('text', ' and not yet sent')
    const [shown] = snapshotOf(kit.deps, kit.row(id)).messages
    expect(shown?.parts).toEqual([{ type: 'text', text: 'sent' }])
    draft.finish()
    expect(deltas()).toEqual([
      [0, 'sent'],
      [0, ' and not yet sent'],
    ])
  })

  test('leaves no timer and nothing in memory after its end', () => {
    const draft = createDraft(kit.deps, message)
    draft.add('text', 'a')
    vi.advanceTimersByTime(40)
    draft.add('text', 'b')
    draft.finish()
    expect(vi.getTimerCount()).toBe(0)
    expect(kit.deps.live.arriving.size).toBe(0)
  })

  test('that is abandoned is saved as far as it came; one that ended is not touched', () => {
    const first = createDraft(kit.deps, message)
    first.add('text', 'half')
    first.abandon()
    expect(saved()).toEqual([{ type: 'text', text: 'half' }])
    expect(vi.getTimerCount()).toBe(0)
    const second = createDraft(kit.deps, message)
    second.add('text', 'other')
    second.finish()
    second.abandon()
    expect(saved()).toEqual([{ type: 'text', text: 'half' }])
  })

  test('goes on when it can not be saved for a while', () => {
    const draft = createDraft(kit.deps, message)
    kit.deps.db.sql.exec(
      `CREATE TRIGGER full BEFORE UPDATE ON messages BEGIN SELECT RAISE (ABORT, 'no space'); END`,
    )
    draft.add('text', 'a')
    expect(() => vi.advanceTimersByTime(300)).not.toThrow()
    kit.deps.db.sql.exec('DROP TRIGGER full')
    draft.add('text', 'b')
    vi.advanceTimersByTime(300)
    expect(saved()).toEqual([{ type: 'text', text: 'ab' }])
    draft.finish()
  })
})
