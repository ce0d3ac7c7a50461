import { createRandom } from './random'

/** A choice of `count` cases that the seed repeats. */
export function sampleOf<T>(cases: readonly T[], count: number, seed: number): T[] {
  const random = createRandom(seed)
  const left = [...cases]
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(random.int(left.length), 1)[0]!,
  )
}

/** How often a property is tried: a fourth of `count`, all of it in the long tests (`vitest.config.ts` says which). */
export function tries(count: number): number {
  return process.env['SATCHEL_TEST_LONG'] ? count : Math.ceil(count / 4)
}
