import { describe, expect, test } from 'vitest'
import {
  estimateHeight,
  groupTurns,
  keepSame,
  startsNewDay,
  turnsBefore,
} from '../../../../../src/renderer/chat/transcript/turns'
import { staysAtEnd } from '../../../../../src/renderer/chat/transcript/use-stick-to-end'
import { message } from '../../chat-fixtures'

function chat(...list: ReturnType<typeof message>[]) {
  return {
    order: list.map((entry) => entry.id),
    messages: Object.fromEntries(list.map((entry) => [entry.id, entry])),
    older: null,
  }
}

test('a turn is a message of the person with all its answers', () => {
  const turns = groupTurns(
    chat(
      message('u1', 1, { role: 'user' }),
      message('a1', 2),
      message('a2', 3),
      message('u2', 4, { role: 'user' }),
    ),
  )
  expect(turns.map((turn) => [turn.userId, turn.replyIds])).toEqual([
    ['u1', ['a1', 'a2']],
    ['u2', []],
  ])
})

test('answers before any message of the person are a turn of their own', () => {
  expect(groupTurns(chat(message('a1', 1)))).toMatchObject([{ id: 'a1', userId: null, replyIds: ['a1'] }])
})

test('messages that wait in the queue are left out', () => {
  expect(groupTurns(chat(message('q', 1, { role: 'user', status: 'queued' })))).toEqual([])
})

test('a turn that did not change stays the same object', () => {
  const list = [message('u1', 1, { role: 'user' }), message('a1', 2), message('u2', 3, { role: 'user' })]
  const before = groupTurns(chat(...list))
  const after = keepSame(before, groupTurns(chat(...list, message('a2', 4))))
  expect(after[0]).toBe(before[0])
  expect(after[1]).not.toBe(before[1])
})

test('another answer in the place of the old one is a change', () => {
  const said = message('u1', 1, { role: 'user' })
  const before = groupTurns(chat(said, message('a1', 2)))
  expect(keepSame(before, groupTurns(chat(said, message('a2', 3))))[0]?.replyIds).toEqual(['a2'])
})

test('a day is named where it begins, but not above the first turn', () => {
  const turn = (at: string) => ({ id: at, userId: null, replyIds: [], at: new Date(at).getTime() })
  expect(startsNewDay(undefined, turn('2025-11-21T10:00'))).toBe(false)
  expect(startsNewDay(turn('2025-11-21T10:00'), turn('2025-11-21T23:59'))).toBe(false)
  expect(startsNewDay(turn('2025-11-21T23:59'), turn('2025-11-22T00:01'))).toBe(true)
})

const at = (top: number, full = 1000, view = 100) => ({ top, full, view })

test.each([
  ['the person scrolls up', true, at(900), at(700), false],
  ['the person comes back to the end', false, at(700), at(890), true],
  ['text is added below', true, at(900), at(900, 1200), true],
  ['content above shrinks and moves the position', true, at(900), at(600, 800), true],
  ['the box grows, as when the dock closes', true, at(900), at(800, 1000, 160), true],
  ['the person scrolls down a little but not to the end', false, at(300), at(400), false],
])('the end is kept in view or not when %s', (...[, stuck, before, now, expected]) => {
  expect(staysAtEnd(stuck, before, now)).toBe(expected)
})

describe('a summary of older messages', () => {
  const summary = (id: string, seq: number, upTo: number) =>
    message(id, seq, {
      role: 'note',
      parts: [{ type: 'compaction', text: 'Jam.', upTo, kept: [], before: 900, after: 9 }],
    })
  const list = [
    message('u1', 1, { role: 'user' }),
    message('a1', 2),
    message('u2', 3, { role: 'user' }),
    message('a2', 4),
    summary('s', 5, 2),
    message('u3', 6, { role: 'user' }),
  ]
  const ids = (turns: ReturnType<typeof groupTurns>) => turns.map(({ id }) => id)

  test('stands where what it stands for ends, and folds it', () => {
    expect(ids(groupTurns(chat(...list)))).toEqual(['s', 'u2', 'u3'])
  })

  test('shows the original above it when that is asked for', () => {
    expect(ids(groupTurns(chat(...list), new Set(['s'])))).toEqual(['u1', 's', 'u2', 'u3'])
  })

  test('a later one folds the earlier one too', () => {
    expect(ids(groupTurns(chat(...list, summary('t', 7, 4))))).toEqual(['t', 'u3'])
    expect(ids(groupTurns(chat(...list, summary('t', 7, 4)), new Set(['t'])))).toEqual(['s', 'u2', 't', 'u3'])
  })

  test('of a part of a turn leaves that turn whole', () => {
    expect(ids(groupTurns(chat(...list.slice(0, 4), summary('s', 5, 3))))).toEqual(['s', 'u2'])
  })
})

describe('a chat of which only the end is known', () => {
  const fold = (upTo: number) =>
    message('c', 9, { parts: [{ type: 'compaction', text: '', upTo, kept: [], before: 0, after: 0 }] })
  const end = (upTo: number) => ({
    ...chat(message('u7', 7, { role: 'user' }), message('a8', 8), fold(upTo)),
    older: { before: { seq: 7, step: null }, turns: 3 },
  })

  test('has the turns before it, unless a summary stands for all of them', () => {
    expect(turnsBefore(end(6), new Set())).toBe(0)
    expect(turnsBefore(end(6), new Set(['c']))).toBe(3)
  })

  test('does not show a summary whose place is not fetched yet', () => {
    expect(groupTurns(end(2)).map(({ id }) => id)).toEqual(['u7'])
    expect(turnsBefore(end(2), new Set())).toBe(3)
    expect(groupTurns(end(6)).map(({ id }) => id)).toEqual(['c', 'u7'])
  })
})

test('a turn is taken for the higher the more it says, up to a limit, and for nothing where it is unknown', () => {
  const said = (text: string) => message('u1', 1, { role: 'user', parts: [{ type: 'text', text }] })
  const heightOf = (...list: ReturnType<typeof message>[]) => {
    const known = chat(...list)
    return estimateHeight(known, groupTurns(known)[0]!)
  }
  const step = message('a1', 2, { parts: [{ type: 'tool', callId: 'c1' }] })
  expect(heightOf(said('One line.'))).toBe(36)
  expect(heightOf(said('word '.repeat(100)))).toBe(14 + 6 * 22)
  expect(heightOf(said('One line.'), step)).toBe(36 + 32)
  expect(heightOf(said('word '.repeat(100_000)))).toBe(4000)
  expect(estimateHeight({ messages: {} }, { id: 'x', userId: 'x', replyIds: ['y'], at: 0 })).toBe(0)
})
