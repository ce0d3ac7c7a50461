import { expect, test } from 'vitest'
import { drawnRows } from '../../../../../src/renderer/skills/list/use-fixed-rows'

test.each([
  ['at the top', { first: 0, room: 12 }, 10_000, { start: 0, end: 20 }],
  ['in the middle', { first: 500, room: 12 }, 10_000, { start: 492, end: 520 }],
  ['at the end', { first: 9990, room: 12 }, 10_000, { start: 9980, end: 10_000 }],
  ['where all have room', { first: 0, room: 12 }, 3, { start: 0, end: 3 }],
  ['after the list got shorter', { first: 9000, room: 12 }, 100, { start: 80, end: 100 }],
  ['before there is any room', { first: 0, room: 0 }, 100, { start: 0, end: 8 }],
  ['without rows', { first: 7, room: 12 }, 0, { start: 0, end: 0 }],
])(
  'of a long list only what is on screen and a little around it is drawn: %s',
  (_where, seen, count, drawn) => {
    expect(drawnRows(seen, count, 8)).toEqual(drawn)
  },
)
