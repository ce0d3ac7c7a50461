import { expect, test } from 'vitest'
import { crashLoop } from '../../helpers/crash-loop'

test(
  '5 times killed at any moment, the app keeps every promise and goes on',
  { timeout: 300_000 },
  async () => {
    const report = await crashLoop({ rounds: 5, seed: 20_261_121 })
    expect(report.faults).toEqual([])
    expect(report.rounds).toBe(5)
    // The rounds are about something: without these numbers nothing was looked at.
    expect(report.messages).toBeGreaterThan(3)
    expect(report.runs).toBeGreaterThan(0)
    expect(report.shown).toBeGreaterThan(10)
  },
)
