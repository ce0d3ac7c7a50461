/** Numbers of one measurement, sorted; never empty. */
export interface Summary {
  median: number
  min: number
  max: number
  runs: number
}

/** Median, smallest and largest of at least one number. */
export function summarise(values: readonly number[]): Summary {
  const sorted = sortedOf(values)
  return { median: percentile(sorted, 50), min: sorted[0]!, max: sorted.at(-1)!, runs: sorted.length }
}

/** The value that `percent` of the values do not exceed, linear between neighbours; 50 is the median. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = sortedOf(values)
  const at = ((sorted.length - 1) * percent) / 100
  const below = sorted[Math.floor(at)]!
  const above = sorted[Math.ceil(at)]!
  return below + (above - below) * (at - Math.floor(at))
}

/**
 * Each of ours by the yardstick's value of the same round: machines drift within minutes, so only values taken beside
 * each other are divided. A round that one side lacks is left out.
 */
export function pairedRatios(ours: readonly number[], yardstick: readonly number[]): number[] {
  const rounds = Math.min(ours.length, yardstick.length)
  return Array.from({ length: rounds }, (_, round) => ours[round]! / yardstick[round]!)
}

function sortedOf(values: readonly number[]): number[] {
  if (values.length === 0) throw new Error('there is nothing to summarise')
  return [...values].sort((a, b) => a - b)
}
