/** Random choices that are the same for the same seed, on every machine. */
export interface Seeded {
  /** From 0 up to 1. */
  next(): number
  /** A whole number from 0 up to `below`. */
  below(below: number): number
  /** True in this share of cases, 0 to 1. */
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
  /** Log-normal: half of all values are below `median`; `spread` is the standard deviation of the logarithm. */
  skewed(median: number, spread: number): number
}

/** Mulberry32. */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    below: (below) => Math.floor(next() * below),
    chance: (share) => next() < share,
    pick: (from) => from[Math.floor(next() * from.length)]!,
    skewed: (median, spread) => median * Math.exp(spread * normal(next)),
  }
}

/** Box and Muller. */
function normal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}
