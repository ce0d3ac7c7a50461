import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MIN_HEIGHT, MIN_WIDTH, placeWindow } from '../../../../src/main/electron/bounds'

const left = { x: 0, y: 25, width: 1920, height: 1055 }
const right = { x: 1920, y: 0, width: 2560, height: 1400 }

test('a first window has the default size in the middle of the first work area', () => {
  expect(placeWindow(null, [left, right])).toEqual({ x: 240, y: 102, width: 1440, height: 900 })
})

test('a first window is no larger than a small work area', () => {
  const small = { x: 0, y: 0, width: 1024, height: 700 }
  expect(placeWindow(null, [small])).toEqual(small)
})

test('a saved window comes back as it was', () => {
  const saved = { x: 2000, y: 100, width: 900, height: 640 }
  expect(placeWindow(saved, [left, right])).toEqual(saved)
})

test('a window of a display that is gone comes to the first one', () => {
  const saved = { x: 2000, y: 100, width: 900, height: 640 }
  expect(placeWindow(saved, [left])).toEqual({ x: 1020, y: 100, width: 900, height: 640 })
})

test('a window across two displays goes to the one that shows more of it', () => {
  const saved = { x: 1720, y: 100, width: 1000, height: 640 }
  expect(placeWindow(saved, [left, right])).toEqual({ x: 1920, y: 100, width: 1000, height: 640 })
})

test('broken sizes are brought to the minimum', () => {
  expect(placeWindow({ x: 10, y: 30, width: 1, height: -5 }, [left])).toEqual({
    x: 10,
    y: 30,
    width: MIN_WIDTH,
    height: MIN_HEIGHT,
  })
})

test('wherever it was left, the window lies wholly inside one work area that is large enough', () => {
  const int = fc.integer({ min: -50_000, max: 50_000 })
  fc.assert(
    fc.property(fc.record({ x: int, y: int, width: int, height: int }), (saved) => {
      const place = placeWindow(saved, [left, right])
      const isInside = [left, right].some(
        (area) =>
          place.x >= area.x &&
          place.y >= area.y &&
          place.x + place.width <= area.x + area.width &&
          place.y + place.height <= area.y + area.height,
      )
      expect(isInside).toBe(true)
    }),
  )
})
