import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AFTER_KEY_MS, armed, armedAt } from '../../../../../src/renderer/approvals/review/arming'

const base = { shownAt: 10_000, armDelayMs: 600 }

describe('armed', () => {
  it.each([
    ['it appeared', base, 10_600],
    ['its contents changed', { ...base, changedAt: 12_000 }, 12_600],
    ['the window got the focus', { ...base, focusAt: 12_000 }, 12_600],
    ['its buttons moved', { ...base, shiftedAt: 12_000 }, 12_600],
    ['the one before it closed', { ...base, closedAt: 12_000 }, 12_600],
  ])('waits the whole delay after %s', (_name, input, from) => {
    expect(armed({ ...input, now: from - 1 })).toBe(false)
    expect(armed({ ...input, now: from })).toBe(true)
  })

  it('waits 400 ms after the last key', () => {
    const input = { ...base, lastKeyAt: 20_000 }
    expect(armed({ ...input, now: 20_000 + AFTER_KEY_MS - 1 })).toBe(false)
    expect(armed({ ...input, now: 20_000 + AFTER_KEY_MS })).toBe(true)
  })

  it('does not shorten the delay because of an old key', () => {
    expect(armedAt({ ...base, lastKeyAt: 1 })).toBe(10_600)
  })

  it('never counts while an input method composes', () => {
    expect(armed({ ...base, composing: true, now: 1e12 })).toBe(false)
  })

  it('uses the delay of the settings', () => {
    expect(armedAt({ shownAt: 0, armDelayMs: 2000 })).toBe(2000)
  })

  it('is never earlier than the delay after any of its moments', () => {
    const moment = fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined })
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.tuple(moment, moment, moment, moment),
        fc.integer({ min: 300, max: 2000 }),
        (shownAt, [changedAt, focusAt, shiftedAt, closedAt], armDelayMs) => {
          const given = Object.entries({ changedAt, focusAt, shiftedAt, closedAt }).filter(
            ([, at]) => at !== undefined,
          )
          const at = armedAt({ shownAt, armDelayMs, ...Object.fromEntries(given) })
          for (const value of [shownAt, ...given.map(([, v]) => v as number)]) {
            expect(at).toBeGreaterThanOrEqual(value + armDelayMs)
          }
        },
      ),
    )
  })
})
