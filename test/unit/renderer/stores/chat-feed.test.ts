import type { ChatPage, ChatPlace, SessionEvent } from '@shared/domain/session'
import { afterEach, describe, expect, test } from 'vitest'
import { setApi } from '../../../../src/renderer/api'
import type { Api } from '../../../../src/renderer/api'
import { openFeed, type ChatFeed } from '../../../../src/renderer/stores/chat-feed'
import type { ChatState } from '../../../../src/renderer/stores/chat-state'
import { detail, message } from '../chat-fixtures'

const now = (run: () => void) => run()
const older = (seq: number) => ({ before: { seq, step: null }, turns: seq })

let feed: ChatFeed | undefined
afterEach(() => feed?.close())

/** A chat of messages m1 to m9, of which two are sent at once. */
function start() {
  const asked: { before: ChatPlace; answer(page: ChatPage): void; fail(error: Error): void }[] = []
  const shown: ChatState[] = []
  const failures: string[] = []
  let send: (event: SessionEvent) => void = () => undefined
  setApi({
    call: (_name: string, { before }: { before: ChatPlace }) =>
      new Promise((resolve, reject) => asked.push({ before, answer: resolve, fail: reject })),
    stream(_name: string, _input: unknown, on: { event(value: unknown): void }) {
      send = on.event
      return () => undefined
    },
  } as unknown as Api)
  feed = openFeed('s1', { chat: (chat) => shown.push(chat), fail: (why) => failures.push(why) }, now)
  return { feed, asked, shown, failures, send: (event: SessionEvent) => send(event) }
}

function page(...seqs: number[]): ChatPage {
  const first = seqs[0] ?? 1
  return {
    messages: seqs.map((seq) => message(`m${seq}`, seq)),
    calls: [],
    older: first === 1 ? null : older(first),
  }
}

function snapshot(seq: number, ...seqs: number[]): SessionEvent {
  return { t: 'snapshot', seq, session: detail(), ...page(...seqs) }
}

const ids = (chat: ChatState | undefined) => chat?.order.join(' ')

describe('a chat that is read page by page', () => {
  test('an older page is put before what is known', async () => {
    const { feed: open, asked, shown, send } = start()
    send(snapshot(1, 8, 9))
    open.older()
    asked[0]?.answer(page(6, 7))
    await expect.poll(() => ids(shown.at(-1))).toBe('m6 m7 m8 m9')
    expect(asked.map(({ before }) => before.seq)).toEqual([8])
  })

  test('a page is asked for once, and none at the beginning of the chat', async () => {
    const { feed: open, asked, shown, send } = start()
    send(snapshot(1, 3, 4))
    open.older()
    open.older()
    expect(asked).toHaveLength(1)
    asked[0]?.answer(page(1, 2))
    await expect.poll(() => ids(shown.at(-1))).toBe('m1 m2 m3 m4')
    open.older()
    expect(asked).toHaveLength(1)
  })

  test('what changed while a page was on its way is kept', async () => {
    const { feed: open, asked, shown, send } = start()
    send(snapshot(1, 8, 9))
    open.older()
    send({ t: 'message', seq: 2, message: message('m9', 9, { status: 'stopped' }) })
    asked[0]?.answer({ ...page(6, 7), messages: [message('m7', 7), message('m9', 9)] })
    await expect.poll(() => ids(shown.at(-1))).toBe('m7 m8 m9')
    expect(shown.at(-1)?.messages['m9']?.status).toBe('stopped')
  })

  test('after another snapshot the page is told once the chat reaches back as far as before', async () => {
    const { feed: open, asked, shown, send } = start()
    send(snapshot(1, 8, 9))
    open.older()
    asked[0]?.answer(page(4, 5, 6, 7))
    await expect.poll(() => ids(shown.at(-1))).toBe('m4 m5 m6 m7 m8 m9')
    const told = shown.length
    send(snapshot(7, 9, 10))
    expect(shown).toHaveLength(told)
    asked[1]?.answer(page(7, 8))
    await expect.poll(() => asked.length).toBe(3)
    send({ t: 'message', seq: 8, message: message('m11', 11) })
    expect(shown).toHaveLength(told)
    asked[2]?.answer(page(3, 4, 5, 6))
    await expect.poll(() => ids(shown.at(-1))).toBe('m3 m4 m5 m6 m7 m8 m9 m10 m11')
    expect(shown).toHaveLength(told + 1)
  })

  test('a page that was asked for before a snapshot is of no use', async () => {
    const { feed: open, asked, shown, send } = start()
    send(snapshot(1, 8, 9))
    open.older()
    send(snapshot(5, 8, 10))
    asked[0]?.answer(page(1, 2))
    await expect.poll(() => shown.length).toBeGreaterThan(2)
    expect(ids(shown.at(-1))).toBe('m8 m10')
  })

  test('a page that can not be had is told, and what is known stays', async () => {
    const { feed: open, asked, shown, failures, send } = start()
    send(snapshot(1, 8, 9))
    open.older()
    asked[0]?.fail(new Error('The disk is broken.'))
    await expect.poll(() => failures).toEqual(['The disk is broken.'])
    open.older()
    expect(asked).toHaveLength(1)
    expect(ids(shown.at(-1))).toBe('m8 m9')
  })

  test.each<[string, SessionEvent]>([
    ['a message', { t: 'message', seq: 2, message: message('m3', 3) }],
    ['text', { t: 'delta', seq: 2, messageId: 'm3', partIndex: 0, kind: 'text', text: 'x' }],
  ])('%s of a part that is not fetched yet comes with its page', (_what, event) => {
    const { shown, send } = start()
    send(snapshot(1, 8, 9))
    send(event)
    expect(ids(shown.at(-1))).toBe('m8 m9')
    expect(shown.at(-1)?.seq).toBe(2)
  })
})
