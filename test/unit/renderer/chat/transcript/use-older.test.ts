import { defaultRangeExtractor } from '@tanstack/react-virtual'
import { expect, test } from 'vitest'
import { createPlace, sameTurns } from '../../../../../src/renderer/chat/transcript/use-older'

const turns = (...ids: string[]) => ids.map((id) => ({ id, userId: id, replyIds: [], at: 0 }))
const range = { startIndex: 0, endIndex: 2, overscan: 1, count: 110 }

/** Turn c was the first one in view, at the index 12 of ten turns that are not fetched and four that are. */
function reading() {
  const place = createPlace()
  place.remember({ first: { id: 'c', index: 12, start: 2000 }, drawn: [11, 12, 13] })
  return place
}

test('turns are drawn by where one has scrolled to while nothing above them changes', () => {
  expect(sameTurns(createPlace(), { turns: turns('a'), before: 10 })).toBe(defaultRangeExtractor)
  expect(sameTurns(reading(), { turns: turns('a', 'b', 'c', 'd'), before: 10 })).toBe(defaultRangeExtractor)
})

test('when more turns are above than was thought the same ones stay in the page, at their new indexes', () => {
  const draw = sameTurns(reading(), { turns: turns('y', 'z', 'a', 'b', 'c', 'd'), before: 100 })
  expect(draw(range)).toEqual([103, 104, 105])
})

test('what would lie outside of the chat is not drawn, and a turn that is gone says nothing', () => {
  const draw = sameTurns(reading(), { turns: turns('c', 'd'), before: 0 })
  expect(draw({ ...range, count: 1 })).toEqual([0])
  expect(sameTurns(reading(), { turns: turns('x'), before: 0 })).toBe(defaultRangeExtractor)
})
