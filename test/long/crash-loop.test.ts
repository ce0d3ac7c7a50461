import { expect, test } from 'vitest'
import { crashLoop } from '../helpers/crash-loop'

test(
  '300 times killed at any moment, the app keeps every promise and goes on',
  { timeout: 2_400_000 },
  async () => {
    const report = await crashLoop({ rounds: 300, seed: 1 })
    console.log(JSON.stringify(report))
    expect(report.faults).toEqual([])
    expect(report.rounds).toBe(300)
    expect(report.messages).toBeGreaterThan(300)
    expect(report.runs).toBeGreaterThan(30)
  },
)
