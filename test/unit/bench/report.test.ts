import { describe, expect, it } from 'vitest'
import type { Samples } from '../../../bench/lib/processes'
import { exitCode, limitVerdict, notMeasured, ratioVerdict, table } from '../../../bench/lib/report'

const samplesOf = (times: Record<string, number[]>): Samples =>
  new Map(
    Object.entries(times).map(([name, list]) => [
      name,
      list.map((ms) => ({ ms, wallMs: ms, peakMb: 1, result: { ms, peakMb: 1 } })),
    ]),
  )

describe('ratioVerdict', () => {
  const goal = { id: 'G', text: 'ours', limit: 2 }

  it('takes the median of the ratios of each round, not the ratio of the medians', () => {
    const samples = samplesOf({ ours: [10, 300, 50], bare: [10, 100, 50] })
    expect(ratioVerdict(goal, samples, ['ours', 'bare'])).toMatchObject({
      value: '1.00× [1.00 to 3.00]',
      limit: '≤ 2×',
      met: true,
    })
  })

  it('is missed above the limit', () => {
    expect(ratioVerdict(goal, samplesOf({ ours: [21], bare: [10] }), ['ours', 'bare']).met).toBe(false)
  })

  it('says what did not run', () => {
    expect(ratioVerdict(goal, samplesOf({ ours: [1] }), ['ours', 'bare'])).toMatchObject({
      value: 'not measured: bare did not run',
      met: null,
    })
  })
})

describe('exitCode', () => {
  const floor = { id: 'S4', text: 'discovery', limit: 100, unit: 'ms', floor: true }

  it('is 1 for a floor that is missed', () => {
    expect(exitCode({ verdicts: [limitVerdict(floor, 101)], mismatches: [] })).toBe(1)
  })

  it('is 1 when two sides found different skills', () => {
    expect(exitCode({ verdicts: [limitVerdict(floor, 99)], mismatches: ['one lists more'] })).toBe(1)
  })

  it('is 0 for a goal that is missed, and for what was not measured', () => {
    const goal = limitVerdict({ ...floor, floor: false }, 101)
    expect(goal.met).toBe(false)
    expect(exitCode({ verdicts: [goal, notMeasured(floor, '', 'no package')], mismatches: [] })).toBe(0)
  })
})

describe('table', () => {
  it('is as wide as its widest cells', () => {
    expect(
      table(
        ['side', 'ms'],
        [
          ['ours', '1.00'],
          ['bare read', '12'],
        ],
      ),
    ).toBe(['side         ms', '---------  ----', 'ours       1.00', 'bare read    12'].join('\n'))
  })
})
