import type { SessionEvent } from '@shared/domain/session'
import { afterEach, describe, expect, test } from 'vitest'
import { setApi } from '../../../../src/renderer/api'
import type { Api } from '../../../../src/renderer/api'
import { rewatchChat, sendMessage, sessionsStore, watchChat } from '../../../../src/renderer/stores/sessions'
import { detail, message } from '../chat-fixtures'

interface Opened {
  sessionId: string
  closed: boolean
  event(value: SessionEvent): void
  end(error?: Error): void
}

function fakeApi(send: () => Promise<unknown> = () => Promise.resolve({ messageId: 'm', queued: false })) {
  const opened: Opened[] = []
  setApi({
    call: send,
    stream(
      _name: string,
      input: { sessionId: string },
      on: { event(value: unknown): void; end?(error?: Error): void },
    ) {
      const entry: Opened = {
        sessionId: input.sessionId,
        closed: false,
        event: (value) => on.event(value),
        end: (error) => on.end?.(error),
      }
      opened.push(entry)
      return () => {
        entry.closed = true
      }
    },
  } as unknown as Api)
  return opened
}

const now = (run: () => void) => run()

function snapshot(seq: number): SessionEvent {
  return {
    t: 'snapshot',
    seq,
    session: detail(),
    messages: [message('a', 1, { parts: [{ type: 'text', text: '' }] })],
    calls: [],
    older: null,
  }
}

function delta(seq: number): SessionEvent {
  return { t: 'delta', seq, messageId: 'a', partIndex: 0, kind: 'text', text: 'x' }
}

function shownText(): string {
  const part = sessionsStore.getState().chat?.messages['a']?.parts[0]
  return part?.type === 'text' ? part.text : ''
}

afterEach(() => watchChat(null))

describe('watchChat', () => {
  test('a gap closes the stream, opens it again and goes on from the new snapshot', () => {
    const opened = fakeApi()
    watchChat('s1', now)
    opened[0]?.event(snapshot(1))
    opened[0]?.event(delta(2))
    opened[0]?.event(delta(4))
    expect(opened.map((one) => one.closed)).toEqual([true, false])
    opened[1]?.event(snapshot(10))
    opened[1]?.event(delta(11))
    expect(shownText()).toBe('x')
  })

  test('events of the stream before the gap are ignored', () => {
    const opened = fakeApi()
    watchChat('s1', now)
    opened[0]?.event(snapshot(1))
    opened[0]?.event(delta(5))
    opened[1]?.event(snapshot(10))
    opened[0]?.event(delta(11))
    expect(shownText()).toBe('')
  })

  test('a stream that never becomes whole is given up with a message', () => {
    const opened = fakeApi()
    watchChat('s1', now)
    for (let i = 0; i < opened.length && i < 20; i += 1) opened[i]?.event(delta(99))
    expect(opened.length).toBe(5)
    expect(sessionsStore.getState().chatError).toContain('could not be kept up to date')
  })

  test('another chat closes the one before and forgets it', () => {
    const opened = fakeApi()
    watchChat('s1', now)
    opened[0]?.event(snapshot(1))
    watchChat('s2', now)
    expect(opened[0]?.closed).toBe(true)
    expect(sessionsStore.getState().chat).toBeUndefined()
    opened[0]?.event(delta(2))
    expect(sessionsStore.getState().chat).toBeUndefined()
  })

  test('a stream that ends with an error says why, and can be opened again', () => {
    const opened = fakeApi()
    watchChat('s1', now)
    opened[0]?.end(new Error('This chat is gone.'))
    expect(sessionsStore.getState().chatError).toBe('This chat is gone.')
    rewatchChat()
    expect(opened.at(-1)?.sessionId).toBe('s1')
    expect(sessionsStore.getState().chatError).toBe('')
  })
})

describe('sendMessage', () => {
  test('the text is shown until main has answered', async () => {
    let answer: (value: unknown) => void = () => undefined
    fakeApi(() => new Promise((resolve) => (answer = resolve)))
    const sending = sendMessage('s1', 'hello')
    expect(sessionsStore.getState().outgoing['s1']?.map((entry) => entry.text)).toEqual(['hello'])
    answer({ messageId: 'm', queued: false })
    expect(await sending).toBeUndefined()
    expect(sessionsStore.getState().outgoing['s1']).toEqual([])
  })

  test('a failure comes back as its sentence', async () => {
    fakeApi(() => Promise.reject(new Error('The disk is full.')))
    expect(await sendMessage('s1', 'hello')).toBe('The disk is full.')
    expect(sessionsStore.getState().outgoing['s1']).toEqual([])
  })
})
