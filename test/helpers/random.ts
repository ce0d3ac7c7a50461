/** Choices that a seed repeats. */
export interface Random {
  /** From 0 to below `n`. */
  int(n: number): number
  pick<T>(list: readonly T[]): T
  chance(probability: number): boolean
  /** A seed for something of its own. */
  seed(): number
}

/** A small generator of known quality (mulberry32): the same seed gives the same choices everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (n: number): number => Math.floor(next() * n)
  return {
    int,
    pick(list) {
      if (list.length === 0) throw new Error('nothing to pick from')
      return list[int(list.length)]!
    },
    chance: (probability) => next() < probability,
    seed: () => int(2 ** 31),
  }
}
