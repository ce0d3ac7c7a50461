import { describe, expect, it } from 'vitest'
import { longWait, retryDelay } from '../../../../src/main/llm/retry'

const clock = { now: () => Date.parse('2026-01-01T00:00:00Z'), random: () => 0 }
const late = { ...clock, random: () => 0.999_999 }
const status = (status: number, retryAfter: string | null = null, retryAfterMs: string | null = null) => ({
  status,
  retryAfter,
  retryAfterMs,
})

describe('retryDelay', () => {
  it.each([400, 401, 402, 403, 404, 413, 422, 501])('does not try a %i again', (code) => {
    expect(retryDelay(status(code), 0, clock)).toBeNull()
  })

  it.each([429, 500, 502, 503, 504, 529])('tries a %i twice more', (code) => {
    expect([0, 1, 2].map((attempt) => retryDelay(status(code), attempt, clock))).toEqual([250, 500, null])
  })

  it('tries a failed connection twice more', () => {
    const failed = { status: 'no-connection' } as const
    expect([0, 1, 2].map((attempt) => retryDelay(failed, attempt, clock))).toEqual([250, 500, null])
  })

  it('spreads the tries of many clients', () => {
    expect(retryDelay(status(429), 0, late)).toBe(500)
  })

  it.each([
    ['3', null, 3000],
    ['0.5', null, 500],
    [null, '1500', 1500],
    ['9', '1500', 1500],
    ['Thu, 01 Jan 2026 00:00:20 GMT', null, 20_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', null, 0],
    ['60', null, 60_000],
    ['-5', null, 250],
    ['soon', null, 250],
  ])('waits for retry-after %s, retry-after-ms %s: %i ms', (after, afterMs, expected) => {
    expect(retryDelay(status(429, after, afterMs), 0, clock)).toBe(expected)
  })

  it.each([
    ['3600', null],
    ['61', null],
    [null, '60001'],
    ['Thu, 01 Jan 2026 01:00:00 GMT', null],
  ])('does not wait at all for retry-after %s, retry-after-ms %s', (after, afterMs) => {
    expect(retryDelay(status(429, after, afterMs), 0, clock)).toBeNull()
  })

  it.each([
    ['61', '2 minutes'],
    ['3600', '60 minutes'],
    ['7200', '2 hours'],
    ['5401', '91 minutes'],
    ['172800', '2 days'],
  ])('names how long a wait of %s s is: %s', (after, words) => {
    expect(longWait({ 'retry-after': after }, clock.now())).toBe(words)
  })

  it('names no wait that is made without asking', () => {
    expect(longWait({ 'retry-after': '60' }, clock.now())).toBeNull()
    expect(longWait({}, clock.now())).toBeNull()
  })

  it('waits no shorter than asked, and never longer than a minute', () => {
    expect(retryDelay(status(429, '10'), 0, late)).toBe(11_000)
    expect(retryDelay(status(429, '59'), 0, late)).toBe(60_000)
  })
})
