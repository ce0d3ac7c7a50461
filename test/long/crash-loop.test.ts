import { expect, test } from 'vitest'
import { crashLoop } from '../helpers/crash-loop'

test(
  '300 times killed at any moment, the app keeps every promise and goes on',
  { timeout: 2_400_000 },
  async () => {
    // Two at a time, each on data of its own: a round waits more than it works.
    const halves = await Promise.all([1, 2].map((seed) => crashLoop({ rounds: 150, seed })))
    console.log(JSON.stringify(halves))
    const sum = (of: 'rounds' | 'messages' | 'runs' | 'shown' | 'changes') =>
      halves.reduce((total, report) => total + report[of], 0)
    expect(halves.flatMap((report) => report.faults)).toEqual([])
    expect(sum('rounds')).toBe(300)
    expect(sum('messages')).toBeGreaterThan(300)
    expect(sum('runs')).toBeGreaterThan(30)
    expect(sum('shown')).toBeGreaterThan(1000)
    expect(sum('changes')).toBeGreaterThan(20)
  },
)
