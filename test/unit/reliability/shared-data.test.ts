import { expect, test } from 'vitest'
import { sharedData } from '../../helpers/shared-data'

test(
  'a window and a command in the same chats, one of them killed twice, keep every promise and see each other',
  { timeout: 120_000 },
  async () => {
    const report = await sharedData({ rounds: 2, seed: 20_261_121 })
    expect(report.faults).toEqual([])
    expect(report.rounds).toBe(2)
    // The rounds are about something: without these numbers nothing was looked at.
    expect(report.messages).toBeGreaterThan(3)
    expect(report.runs).toBeGreaterThan(0)
  },
)
