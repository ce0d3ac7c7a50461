import type { ChatPage, ChatPlace, Message, ToolCall } from '@shared/domain/session'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageOf, type ShownRows } from '../../../../../src/main/sessions/history/chat-pages'
import { groupTurns, turnsBefore } from '../../../../../src/renderer/chat/transcript/turns'
import { addOlder, applyEvents, type ChatState } from '../../../../../src/renderer/stores/chat-state'
import { call, detail, message } from '../../../renderer/chat-fixtures'

const see = { message: (row: Message) => row, call: (row: ToolCall) => row }

interface Said {
  role: Message['role']
  /** Characters of its text. */
  size: number
  /** Sizes of the inputs of its calls. */
  calls: number[]
  queued: boolean
  /** A summary of what was said so many messages before it. */
  summary: number | null
}

/** Rows with gaps between their numbers, as in a chat with branches. */
function chatOf(all: readonly Said[]): ShownRows {
  const calls: ToolCall[] = []
  const messages = all.map((said, at) => {
    const id = `m${at}`
    const text = { type: 'text' as const, text: 'x'.repeat(said.size) }
    for (const size of said.calls) {
      const step = calls.length * 2 + 1
      calls.push({ ...call(step, 'Read', { input: { path: 'p'.repeat(size) } }), messageId: id })
    }
    const upTo = said.summary === null ? null : Math.max(0, at - 1 - said.summary) * 3 + 1
    const summary = { type: 'compaction' as const, text: '', upTo: upTo ?? 0, kept: [], before: 0, after: 0 }
    return message(id, at * 3 + 1, {
      role: upTo === null ? said.role : 'assistant',
      status: said.queued ? 'queued' : 'done',
      parts: upTo === null ? [text] : [summary],
    })
  })
  return { messages, calls }
}

const anyChat = fc
  .array(
    fc.record<Said>({
      role: fc.constantFrom('user', 'assistant', 'assistant', 'note'),
      size: fc.integer({ min: 0, max: 600 }),
      calls: fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 3 }),
      queued: fc.boolean(),
      summary: fc.option(fc.integer({ min: 0, max: 6 }), { freq: 6 }),
    }),
    { maxLength: 25 },
  )
  .map((all) => chatOf(all.map((said, at) => ({ ...said, queued: said.queued && at % 5 === 0 }))))

/** Every page, the newest one first. */
function pagesOf(rows: ShownRows, maxBytes: number): ChatPage[] {
  const pages: ChatPage[] = []
  for (let before: ChatPlace | null = null; ; before = pages.at(-1)!.older!.before) {
    pages.push(pageOf(rows, { before, maxBytes, see }))
    if (pages.at(-1)!.older === null) return pages
  }
}

/** What the page of the window knows after each of them. */
function statesOf(pages: readonly ChatPage[]): ChatState[] {
  const first = applyEvents(undefined, [{ t: 'snapshot', seq: 1, session: detail(), ...pages[0]! }]).chat!
  const states = [first]
  for (const page of pages.slice(1)) states.push(addOlder(states.at(-1)!, page))
  return states
}

describe('pages of a chat', () => {
  test('together they hold every row once, in order, and nothing that waits in the queue', () => {
    fc.assert(
      fc.property(anyChat, fc.integer({ min: 1, max: 4000 }), (rows, maxBytes) => {
        const pages = pagesOf(rows, maxBytes).toReversed()
        expect(pages.flatMap(({ messages }) => messages)).toEqual(
          rows.messages.filter(({ status }) => status !== 'queued'),
        )
        const said = new Set(pages.flatMap(({ messages }) => messages.map(({ id }) => id)))
        expect(pages.flatMap(({ calls }) => calls)).toEqual(
          rows.calls.filter(({ messageId }) => said.has(messageId)),
        )
      }),
    )
  })

  test('none is larger than allowed, but one row alone', () => {
    fc.assert(
      fc.property(anyChat, fc.integer({ min: 1, max: 4000 }), (rows, maxBytes) => {
        for (const { messages, calls } of pagesOf(rows, maxBytes)) {
          const sizes = [...messages, ...calls].map((row) => Buffer.byteLength(JSON.stringify(row)))
          const bytes = sizes.reduce((sum, size) => sum + size, 0)
          expect(sizes.length <= 1 || bytes <= maxBytes).toBe(true)
        }
      }),
    )
  })

  test('a message comes with its calls or after them, never before', () => {
    fc.assert(
      fc.property(anyChat, fc.integer({ min: 1, max: 4000 }), (rows, maxBytes) => {
        for (const { messages, calls } of statesOf(pagesOf(rows, maxBytes))) {
          const missing = rows.calls.filter((one) => messages[one.messageId] && !calls[one.id])
          expect(missing).toEqual([])
        }
      }),
    )
  })

  test('with the turns that are not fetched yet the transcript is always as long as it will be', () => {
    fc.assert(
      fc.property(anyChat, fc.integer({ min: 1, max: 4000 }), (rows, maxBytes) => {
        const plain = {
          ...rows,
          messages: rows.messages.filter(({ parts }) => parts[0]?.type !== 'compaction'),
        }
        const states = statesOf(pagesOf(plain, maxBytes))
        const whole = groupTurns(states.at(-1)!).length
        for (const state of states) {
          const known = groupTurns(state).length
          // Calls without their message are not drawn: then the turn that they belong to is not counted either.
          expect(turnsBefore(state, new Set()) + known).toBe(whole)
        }
      }),
    )
  })

  test('what stands in the transcript never depends on how it was cut', () => {
    fc.assert(
      fc.property(anyChat, fc.integer({ min: 1, max: 4000 }), fc.boolean(), (rows, maxBytes, unfold) => {
        const whole = statesOf(pagesOf(rows, Infinity)).at(-1)!
        const cut = statesOf(pagesOf(rows, maxBytes)).at(-1)!
        const unfolded = new Set(unfold ? whole.order : [])
        expect(cut.order).toEqual(whole.order)
        expect(groupTurns(cut, unfolded)).toEqual(groupTurns(whole, unfolded))
        expect(turnsBefore(cut, unfolded)).toBe(0)
      }),
    )
  })
})

const load = (step: number, messageId: string, names: string[]): ToolCall => ({
  ...call(step, 'skills_load', { input: { names } }),
  messageId,
  envelope: { success: true } as ToolCall['envelope'],
})

test('a page brings the loads that its steps are described with', () => {
  const run = (step: number, skill?: string): ToolCall => ({
    ...call(step, 'skills_run_script', { input: skill === undefined ? {} : { skill } }),
    messageId: 'm2',
  })
  const rows: ShownRows = {
    messages: [message('m1', 1), message('m2', 2, { parts: [{ type: 'text', text: 'x'.repeat(500) }] })],
    calls: [
      load(1, 'm1', ['pdf']),
      load(2, 'm1', ['pdf@personal']),
      load(3, 'm1', ['xlsx']),
      load(4, 'm1', ['csv']),
      run(5, 'pdf'),
      run(6),
    ],
  }
  const page = pageOf(rows, { before: null, maxBytes: 1200, see })
  expect(page.older?.before).toEqual({ seq: 2, step: null })
  expect(page.calls.map(({ step }) => step)).toEqual([2, 4, 5, 6])
})
