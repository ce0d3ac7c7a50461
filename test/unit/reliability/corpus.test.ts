import { expect, test } from 'vitest'
import { CORE_CASES, runCorpus } from '../../helpers/corpus'
import { sampleOf } from '../../helpers/sample'

test(
  'a sample of the attack corpus of the core is denied, asked or contained as it says',
  { timeout: 300_000 },
  async () => {
    const report = await runCorpus(sampleOf(CORE_CASES, 10, 20_261_121))
    expect(report.faults).toEqual([])
    expect(report.cases).toBe(10)
  },
)
