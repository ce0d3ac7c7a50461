import { expect, test } from 'vitest'
import { approvalFuzz } from '../helpers/approval-fuzz'

test(
  'in 300 random sequences only bytes run that a decided request had shown',
  { timeout: 2_400_000 },
  async () => {
    const report = await approvalFuzz({ sequences: 300, seed: 3 })
    console.log(JSON.stringify(report))
    expect(report.faults).toEqual([])
    expect(report.sequences).toBe(300)
    expect(report.runs).toBeGreaterThan(200)
    expect(report.restarts).toBeGreaterThan(30)
  },
)
