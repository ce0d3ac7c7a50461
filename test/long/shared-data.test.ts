import { expect, test } from 'vitest'
import { sharedData, type SharedReport } from '../helpers/shared-data'

test(
  '200 times killed next to each other, a window and a command keep every promise and see each other',
  { timeout: 2_400_000 },
  async () => {
    const reports: SharedReport[] = []
    // New data now and then: a long history would only make the rounds slow.
    for (let seed = 1; seed <= 10; seed += 1) reports.push(await sharedData({ rounds: 20, seed }))
    console.log(JSON.stringify(reports))
    const sum = (of: 'rounds' | 'messages' | 'runs' | 'refused') =>
      reports.reduce((total, report) => total + report[of], 0)
    expect(reports.flatMap((report) => report.faults)).toEqual([])
    expect(sum('rounds')).toBe(200)
    expect(sum('messages')).toBeGreaterThan(200)
    expect(sum('runs')).toBeGreaterThan(50)
    expect(sum('refused')).toBeGreaterThan(20)
  },
)
