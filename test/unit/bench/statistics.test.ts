import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairedRatios, percentile, summarise } from '../../../bench/lib/statistics'

const numbers = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 50 })

describe('summarise', () => {
  it('takes the middle one of an odd number of runs', () => {
    expect(summarise([9, 1, 4])).toEqual({ median: 4, min: 1, max: 9, runs: 3 })
  })

  it('takes the mean of the two in the middle of an even number', () => {
    expect(summarise([1, 2, 4, 100]).median).toBe(3)
  })

  it('refuses no numbers at all', () => {
    expect(() => summarise([])).toThrow('nothing to summarise')
  })

  it('does not depend on the order, nor change what it was given', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const before = [...values]
        expect(summarise(values.toReversed())).toEqual(summarise(values))
        expect(values).toEqual(before)
      }),
    )
  })
})

describe('percentile', () => {
  it.each([
    [0, 10],
    [50, 30],
    [75, 40],
    [95, 48],
    [100, 50],
  ])('of 10, 20, 30, 40, 50 at %i is %i', (percent, expected) => {
    expect(percentile([50, 40, 30, 20, 10], percent)).toBeCloseTo(expected, 10)
  })

  it('lies between the smallest and the largest and grows with the share', () => {
    fc.assert(
      fc.property(
        numbers,
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        (values, a, b) => {
          const [low, high] = [percentile(values, Math.min(a, b)), percentile(values, Math.max(a, b))]
          expect(low).toBeLessThanOrEqual(high + 1e-6)
          expect(low).toBeGreaterThanOrEqual(Math.min(...values))
          expect(high).toBeLessThanOrEqual(Math.max(...values) + 1e-6)
        },
      ),
    )
  })
})

describe('pairedRatios', () => {
  it('divides what was measured in the same round', () => {
    expect(pairedRatios([2, 9], [4, 3])).toEqual([0.5, 3])
  })

  it('leaves out a round that one side lacks', () => {
    expect(pairedRatios([2, 9, 5], [4])).toEqual([0.5])
  })
})
