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
