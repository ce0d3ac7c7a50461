import { expect, test } from 'vitest'
import { approvalFuzz } from '../../helpers/approval-fuzz'

test(
  'in 6 random sequences only bytes run that a decided request had shown',
  { timeout: 300_000 },
  async () => {
    const report = await approvalFuzz({ sequences: 6, seed: 20_261_121 })
    expect(report.faults).toEqual([])
    expect(report.sequences).toBe(6)
    expect(report.runs).toBeGreaterThan(4)
    expect(report.restarts).toBeGreaterThan(0)
    // Each kind of answer came up, so the sequences are about something.
    expect(Object.keys(report.outcomes)).toEqual(
      expect.arrayContaining(['approved', 'stale', 'denied', 'already_decided']),
    )
  },
)
