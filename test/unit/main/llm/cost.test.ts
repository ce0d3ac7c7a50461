import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { costOf, priceOf } from '../../../../src/main/llm/cost'
import { PRICES_AS_OF } from '@shared/prices-as-of'
import { PRICES } from '../../../../src/main/llm/prices'
import { mayCall, startOfDay, type Spending } from '../../../../src/main/llm/spending'

const MILLION = 1_000_000

describe('costOf', () => {
  it('adds input and output at their prices', () => {
    const usage = { inputTokens: 2 * MILLION, outputTokens: MILLION }
    expect(costOf(usage, 'a/claude-sonnet-4-5')).toBeCloseTo(2 * 3 + 15)
  })

  it('counts what went through the cache at its own prices, and only once', () => {
    const usage = {
      inputTokens: MILLION,
      outputTokens: 0,
      cacheReadTokens: 400_000,
      cacheWriteTokens: 100_000,
    }
    expect(costOf(usage, 'a/claude-sonnet-4-5')).toBeCloseTo(0.5 * 3 + 0.4 * 0.3 + 0.1 * 3.75)
    expect(costOf(usage, 'o/gpt-5')).toBeCloseTo(0.5 * 1.25 + 0.4 * 0.125 + 0.1 * 1.25)
  })

  it.each(['a/claude-sonnet-4-5-20250929', 'a/claude-3-5-haiku-latest', 'o/gpt-4o-2024-08-06'])(
    'knows the dated name %s',
    (model) => {
      expect(priceOf(model)).not.toBeNull()
    },
  )

  it.each([
    'o/gpt-5.9',
    'l/llama3',
    'practice/scripted',
    'r/anthropic/claude-opus-4-1',
    'x/toString',
    'x/__proto__',
  ])('has no price for %s', (model) => {
    expect(costOf({ inputTokens: 1, outputTokens: 1 }, model)).toBeNull()
  })

  it('is never below nothing, whatever a provider counts', () => {
    const tokens = fc.nat(10 * MILLION)
    const usage = fc.record({
      inputTokens: tokens,
      outputTokens: tokens,
      cacheReadTokens: tokens,
      cacheWriteTokens: tokens,
    })
    fc.assert(
      fc.property(usage, fc.constantFrom(...Object.keys(PRICES)), (counted, name) => {
        expect(costOf(counted, `p/${name}`)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('says of which day its prices are, and asks less for what was cached', () => {
    expect(PRICES_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    for (const { input, output, cacheRead } of Object.values(PRICES)) {
      expect(cacheRead).toBeLessThan(input)
      expect(output).toBeGreaterThan(input)
    }
  })
})

describe('mayCall', () => {
  it.each<[Spending, string | null]>([
    [{ spentChat: 99, spentDay: 99, limits: { chat: null, day: null } }, null],
    [{ spentChat: 0.99, spentDay: 5, limits: { chat: 1, day: null } }, null],
    [
      { spentChat: 1, spentDay: 5, limits: { chat: 1, day: null } },
      'This chat has cost about $1.00, and the limit is $1.00. No call was made.',
    ],
    [
      { spentChat: 0, spentDay: 5.5, limits: { chat: 1, day: 5 } },
      'Today all chats have cost about $5.50, and the limit is $5.00. No call was made.',
    ],
    [
      { spentChat: 0, spentDay: 0, limits: { chat: 0, day: null } },
      'This chat has cost about $0.00, and the limit is $0.00. No call was made.',
    ],
  ])('%j: %j', (spending, message) => {
    const error = mayCall(spending)
    expect(error?.message ?? null).toBe(message)
    expect(error?.code).toBe(message === null ? undefined : 'spending_limit')
  })
})

it('begins a day at midnight where the computer is', () => {
  const start = new Date(startOfDay(1_764_000_000_000))
  expect([start.getHours(), start.getMinutes(), start.getMilliseconds()]).toEqual([0, 0, 0])
  expect(1_764_000_000_000 - start.getTime()).toBeLessThan(25 * 3_600_000)
})
