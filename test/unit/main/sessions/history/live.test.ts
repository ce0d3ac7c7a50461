import { describe, expect, test, vi } from 'vitest'
import type { SessionDetail, SessionEvent } from '@shared/domain/session'
import { createLive, type Snapshot } from '../../../../../src/main/sessions/history/live'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const snapshot = (): Snapshot => ({
  session: {} as Snapshot['session'],
  messages: [],
  calls: [],
  older: null,
})
const delta = (text: string) => ({ t: 'delta', messageId: 'm', partIndex: 0, kind: 'text', text }) as const

function open(live = createLive(log)) {
  const closing = new AbortController()
  const events = live.watch('s', snapshot, closing.signal)[Symbol.asyncIterator]()
  const next = async (): Promise<SessionEvent> => (await events.next()).value as SessionEvent
  return { live, next, close: () => closing.abort(), end: () => events.next() }
}

describe('live changes of a chat', () => {
  test('begin with a snapshot and go on with numbers that rise by one', async () => {
    const { live, next, close } = open()
    expect(await next()).toMatchObject({ t: 'snapshot', seq: 0 })
    live.emit('s', delta('a'))
    live.emit('s', delta('b'))
    expect(await next()).toMatchObject({ seq: 1, text: 'a' })
    expect(await next()).toMatchObject({ seq: 2, text: 'b' })
    close()
  })

  test('a reader that joins late starts at the number of the others', async () => {
    const first = open()
    await first.next()
    first.live.emit('s', delta('a'))
    const second = open(first.live)
    expect(await second.next()).toMatchObject({ t: 'snapshot', seq: 1 })
    first.live.emit('s', delta('b'))
    expect(await second.next()).toMatchObject({ seq: 2, text: 'b' })
    first.close()
    second.close()
  })

  test('what happens while the snapshot is taken arrives after it', async () => {
    const live = createLive(log)
    const closing = new AbortController()
    const take = () => {
      live.emit('s', delta('meanwhile'))
      return snapshot()
    }
    const events = live.watch('s', take, closing.signal)[Symbol.asyncIterator]()
    expect((await events.next()).value).toMatchObject({ t: 'snapshot', seq: 0 })
    expect((await events.next()).value).toMatchObject({ seq: 1, text: 'meanwhile' })
    closing.abort()
  })

  test('that can wait are told once, and not where the chat is told before', async () => {
    vi.useFakeTimers()
    try {
      const { live, next, close } = open()
      await next()
      const tell = () => live.emit('s', { t: 'session', session: { title: 'later' } as SessionDetail })
      live.later('s', tell)
      live.later('s', tell)
      live.emit('s', delta('a'))
      vi.advanceTimersByTime(1000)
      live.emit('s', delta('b'))
      expect(await next()).toMatchObject({ seq: 1, text: 'a' })
      expect(await next()).toMatchObject({ seq: 2, session: { title: 'later' } })
      expect(await next()).toMatchObject({ seq: 3, text: 'b' })
      live.later('s', tell)
      live.emit('s', { t: 'session', session: { title: 'now' } as SessionDetail })
      vi.advanceTimersByTime(1000)
      live.emit('s', delta('c'))
      expect(await next()).toMatchObject({ seq: 4, session: { title: 'now' } })
      expect(await next()).toMatchObject({ seq: 5, text: 'c' })
      close()
    } finally {
      vi.useRealTimers()
    }
  })

  test('of another chat do not arrive', async () => {
    const { live, next, close } = open()
    await next()
    live.emit('other', delta('x'))
    live.emit('s', delta('y'))
    expect(await next()).toMatchObject({ seq: 1, text: 'y' })
    close()
  })

  test('nothing is kept of a chat that nobody watches any more', async () => {
    const { live, next, close, end } = open()
    expect(live.watched()).toEqual([])
    await next()
    expect(live.watched()).toEqual(['s'])
    close()
    await end()
    expect(live.watched()).toEqual([])
    live.emit('s', delta('x'))
    expect(live.watched()).toEqual([])
  })

  test('nothing is kept of a chat that is not there', async () => {
    const live = createLive(log)
    const take = () => {
      throw new Error('no such chat')
    }
    const events = live.watch('gone', take, new AbortController().signal)[Symbol.asyncIterator]()
    await expect(events.next()).rejects.toThrow('no such chat')
    expect(live.watched()).toEqual([])
  })
})
